import { ApiKey, type EntityManager } from '@leadback/db';
import type { AccountId, KeyScope } from '@leadback/domain';
import { audit } from '@leadback/people';
import { apiKeyPrefixLength, hashApiKey, issueApiKey } from '@leadback/secrets';
import { findAccount } from '../find-account.ts';

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

export interface IssuedKey {
  readonly id: number;
  /** Shown once: it is not stored. */
  readonly key: string;
  readonly prefix: string;
}

export const issueKey = (
  em: EntityManager,
  { accountId, name, isTest, scopes, expiresAt, actor }: WantedKey,
): Promise<IssuedKey> => {
  const key = issueApiKey();
  const prefix = key.slice(0, apiKeyPrefixLength);
  return em.transactional(async (tx) => {
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
    return { id: issued.id, key, prefix };
  });
};
