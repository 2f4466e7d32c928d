import { type EntityManager, LandingPage } from '@leadback/db';
import type { AccountId } from '@leadback/domain';
import { LockMode } from '@mikro-orm/core';
import { ActionRefused } from '@leadback/people';

export interface PageKey {
  readonly id: number;
  /** Undefined: of any account. */
  readonly accountId?: AccountId | undefined;
}

const noPage = (id: number) => new ActionRefused('not-found', `there is no page ${id}`);
const where = ({ id, accountId }: PageKey) => ({ id, ...(accountId !== undefined && { account: accountId }) });

export const findPage = async (em: EntityManager, key: PageKey): Promise<LandingPage> => {
  const page = await em.findOne(LandingPage, where(key));
  if (!page) throw noPage(key.id);
  return page;
};

/** As it is now, and nobody changes it until the transaction ends. */
export const lockPage = async (em: EntityManager, key: PageKey): Promise<LandingPage> => {
  const page = await em.findOne(LandingPage, where(key), { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!page) throw noPage(key.id);
  return page;
};
