import type { Database } from './database.ts';
import { databaseErrorCode, isDatabaseUnavailable } from './database-failure.ts';
import { type MigrationFacts, readMigrationFacts } from './migration-facts.ts';

const advice =
  'Run `database migrate` of the operator of this version, with the DATABASE_URL of leadback_owner, before you start the apps';

// no table, no right to read it, no schema: granted by `database migrate`
const neverMigrated = ['42P01', '42501', '3F000'];

const factsOf = async (database: Database): Promise<Pick<MigrationFacts, 'pending'> | undefined> => {
  try {
    return await readMigrationFacts(database.em());
  } catch (error) {
    if (neverMigrated.includes(databaseErrorCode(error) ?? '')) return { pending: ['all'] };
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
};

/**
 * Throws if the database lacks migrations of this code, with the command that runs them. Newer migrations are fine, and so is
 * a database that is unavailable: apps start without it.
 */
export const assertMigrated = async (database: Database): Promise<void> => {
  const facts = await factsOf(database);
  if (facts === undefined || facts.pending.length === 0) return;
  throw new Error(`the database is not migrated (missing: ${facts.pending.slice(0, 3).join(', ')}). ${advice}`);
};
