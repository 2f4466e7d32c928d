import { AuditEntry, type EntityManager } from '@leadback/db';
import type { AccountId } from '@leadback/domain';

export interface AuditQuestion {
  readonly accountId?: AccountId | undefined;
  readonly limit: number;
}

/** The newest entries of the audit log, newest first. */
export const listAudit = async (em: EntityManager, { accountId, limit }: AuditQuestion) => {
  const entries = await em.find(AuditEntry, accountId === undefined ? {} : { accountId }, {
    orderBy: { id: 'desc' },
    limit,
  });
  return entries.map(({ at, actor, action, accountId: account, target, details }) => ({
    at,
    actor,
    action,
    accountId: account ?? null,
    target,
    details,
  }));
};
