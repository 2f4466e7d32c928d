import { Account, type EntityManager, LandingPage } from '@leadback/db';
import type { AccountId, AccountStatus } from '@leadback/domain';
import { ActionRefused, audit } from '@leadback/people';
import { LockMode } from '@mikro-orm/core';

const actions: Readonly<Record<AccountStatus, string>> = { suspended: 'account.suspend', active: 'account.activate' };

interface WantedStatus {
  readonly id: AccountId;
  readonly status: AccountStatus;
  readonly actor: string;
  /** Of a suspended account: whether nobody sees its pages from now on. */
  readonly hidesPages?: boolean | undefined;
}

/** Suspends an account, or activates it again, with its pages. */
export const setAccountStatus = (
  em: EntityManager,
  { id, status, actor, hidesPages = false }: WantedStatus,
): Promise<Account> =>
  em.transactional(async (tx) => {
    const account = await tx.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
    const { name, status: before } = account;
    const hides = status === 'suspended' && (hidesPages || account.hidesPages);
    const isSeen = hides === account.hidesPages;
    if (before === status && isSeen) return account;
    account.status = status;
    account.hidesPages = hides;
    if (!isSeen) await tx.nativeUpdate(LandingPage, { account: id }, { isHidden: hides });
    const details = {
      name,
      ...(before !== status && { status: { before, after: status } }),
      ...(!isSeen && { pages: hides ? 'hidden' : 'shown' }),
    };
    await audit(tx, { actor, action: actions[status], accountId: id, target: `account ${id}`, details });
    return account;
  });
