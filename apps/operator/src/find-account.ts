import { Account, type EntityManager } from '@leadback/db';
import { OperatorError } from './operator-error.ts';

export const findAccount = async (em: EntityManager, id: number): Promise<Account> => {
  const account = await em.findOne(Account, id);
  if (!account) throw new OperatorError(`there is no account ${id}`);
  return account;
};
