import { type EntityManager, PlatformConnection } from '@leadback/db';
import { OperatorError } from './operator-error.ts';

export const findConnection = async (em: EntityManager, id: number): Promise<PlatformConnection> => {
  const connection = await em.findOne(PlatformConnection, { id });
  if (!connection) throw new OperatorError(`there is no connection ${id}`);
  return connection;
};
