import { ApiKey, type EntityManager } from '@leadback/db';
import type { AccountId } from '@leadback/domain';
import { ActionRefused, audit } from '@leadback/people';
import { raw } from '@mikro-orm/core';

interface KeyToRevoke {
  readonly id: number;
  /** Undefined: of any account. */
  readonly accountId?: AccountId;
  readonly actor: string;
}

/** Revokes a key for good. One that is already revoked keeps its time. */
export const revokeKey = (em: EntityManager, { id, accountId, actor }: KeyToRevoke): Promise<ApiKey> =>
  em.transactional(async (tx) => {
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
