import { Account, type EntityManager } from '@leadback/db';
import { LockMode } from '@mikro-orm/core';
import { ActionRefused } from '@leadback/people';

const noAccount = (id: number) => new ActionRefused('not-found', `there is no account ${id}`);

/** As it is now, and nobody changes it until the transaction ends. */
export const holdAccount = async (em: EntityManager, id: number): Promise<Account> => {
  const account = await em.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_READ, refresh: true });
  if (!account) throw noAccount(id);
  return account;
};

export const findAccount = async (em: EntityManager, id: number): Promise<Account> => {
  const account = await em.findOne(Account, id);
  if (!account) throw noAccount(id);
  return account;
};
