import { ApiKey, type EntityManager, transaction } from '@leadback/db';
import type { AccountId, KeyScope } from '@leadback/domain';
import { audit } from '../audit.ts';
import { ActionRefused } from '../people/access.ts';
import { apiKeyPrefixLength, hashApiKey, issueApiKey } from '@leadback/domain/keys';
import { raw } from '@mikro-orm/core';
import { findAccount } from '../accounts/accounts.ts';

interface WantedKey {
  readonly accountId: AccountId;
  readonly name: string;
  /** Conversions registered with it are tests. */
  readonly isTest: boolean;
  /** What it may do. */
  readonly scopes: readonly KeyScope[];
  /** Undefined: it does not expire. */
  readonly expiresAt: Date | undefined;
  readonly actor: string;
}

interface IssuedKey {
  readonly id: number;
  /** Shown once: it is not stored. */
  readonly key: string;
  readonly prefix: string;
  /** Of everything that is registered with it. */
  readonly mode: 'live' | 'test';
}

export const issueKey = (
  em: EntityManager,
  { accountId, name, isTest, scopes, expiresAt, actor }: WantedKey,
): Promise<IssuedKey> => {
  const key = issueApiKey({ isTest });
  const prefix = key.slice(0, apiKeyPrefixLength);
  return transaction(em, async (tx) => {
    const account = await findAccount(tx, accountId);
    const issued = tx.create(ApiKey, {
      account,
      name,
      keyHash: hashApiKey(key),
      prefix,
      isTest,
      scopes: [...scopes],
      expiresAt: expiresAt ?? null,
      issuedBy: actor,
    });
    await tx.flush();
    const details = { name, prefix, isTest, scopes, ...(expiresAt && { expiresAt }) };
    await audit(tx, { actor, action: 'key.issue', accountId, target: `key ${issued.id}`, details });
    return { id: issued.id, key, prefix, mode: isTest ? 'test' : 'live' };
  });
};

const listedMax = 1_000;

/** The keys of an account, oldest first; of more than 1,000, the newest. */
export const listKeys = async (em: EntityManager, accountId: AccountId): Promise<ApiKey[]> => {
  await findAccount(em, accountId);
  const keys = await em.find(ApiKey, { account: accountId }, { orderBy: { id: 'desc' }, limit: listedMax });
  return keys.toReversed();
};

interface KeyToRevoke {
  readonly id: number;
  /** Undefined: of any account. */
  readonly accountId?: AccountId;
  readonly actor: string;
}

/** Revokes a key for good. One that is already revoked keeps its time. */
export const revokeKey = (em: EntityManager, { id, accountId, actor }: KeyToRevoke): Promise<ApiKey> =>
  transaction(em, async (tx) => {
    const own = { id, ...(accountId !== undefined && { account: accountId }) };
    const revoked = await tx.nativeUpdate(ApiKey, { ...own, revokedAt: null }, { revokedAt: raw('now()') });
    const key = await tx.findOne(ApiKey, own);
    if (!key) throw new ActionRefused('not-found', `there is no key ${id}`);
    const { name, prefix, account } = key;
    const details = { name, prefix };
    if (revoked > 0)
      await audit(tx, { actor, action: 'key.revoke', accountId: account.id, target: `key ${id}`, details });
    return key;
  });
