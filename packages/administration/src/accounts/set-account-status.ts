import { Account, type EntityManager } from '@leadback/db';
import type { AccountId, AccountStatus } from '@leadback/domain';
import { ActionRefused, audit } from '@leadback/people';
import { LockMode } from '@mikro-orm/core';

const actions: Readonly<Record<AccountStatus, string>> = { suspended: 'account.suspend', active: 'account.activate' };

interface WantedStatus {
  readonly id: AccountId;
  readonly status: AccountStatus;
  readonly actor: string;
}

/** Suspends an account, or activates it again. */
export const setAccountStatus = (em: EntityManager, { id, status, actor }: WantedStatus): Promise<Account> =>
  em.transactional(async (tx) => {
    const account = await tx.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
    const { name, status: before } = account;
    if (before === status) return account;
    account.status = status;
    const details = { name, status: { before, after: status } };
    await audit(tx, { actor, action: actions[status], accountId: id, target: `account ${id}`, details });
    return account;
  });
