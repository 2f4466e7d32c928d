import { type EntityManager, LandingPage } from '@leadback/db';
import { OperatorError } from './operator-error.ts';

export const findPage = async (em: EntityManager, id: number): Promise<LandingPage> => {
  const page = await em.findOne(LandingPage, { id });
  if (!page) throw new OperatorError(`there is no page ${id}`);
  return page;
};
