import { ApiKey, type EntityManager } from '@leadback/db';
import type { AccountId } from '@leadback/domain';
import { findAccount } from '../find-account.ts';

const listedMax = 1_000;

/** The keys of an account, oldest first; of more than 1,000, the newest. */
export const listKeys = async (em: EntityManager, accountId: AccountId): Promise<ApiKey[]> => {
  await findAccount(em, accountId);
  const keys = await em.find(ApiKey, { account: accountId }, { orderBy: { id: 'desc' }, limit: listedMax });
  return keys.toReversed();
};
