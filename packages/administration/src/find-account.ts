import { Account, type EntityManager } from '@leadback/db';
import { ActionRefused } from '@leadback/people';

export const findAccount = async (em: EntityManager, id: number): Promise<Account> => {
  const account = await em.findOne(Account, id);
  if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
  return account;
};
