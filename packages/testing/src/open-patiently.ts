import { type Database, type DatabaseOptions, openDatabase } from '@leadback/db';
import { waitMaxMs } from './wait-max-ms.ts';

/** As `openDatabase`, without the limits of the apps: statements and connections take as long as a busy machine needs. */
export const openPatiently = async (options: Omit<DatabaseOptions, 'statementMaxMs'>): Promise<Database> => {
  const database = await openDatabase({ ...options, statementMaxMs: waitMaxMs });
  Object.assign(database.pool.options, { connectionTimeoutMillis: 0 });
  return database;
};
