import { type Contacts, isLockTimeout, isQueryTimeout, isStatementTimeout, type Pool } from '@leadback/db';
import { countKept, type Kept, findPerson, type FoundPerson, type PersonToErase } from './find-person.ts';
import { findImportedRows } from './erase-person.ts';

/** What an erasure would erase now, and keep. */
export interface CountedPerson extends Kept {
  readonly liveClients: number;
  readonly testClients: number;
  readonly leads: number;
  /** Null: there are too many to count in time; the erasure reads them all. */
  readonly importedRows: number | null;
}

const countImportedRows = async (pool: Pool, found: FoundPerson): Promise<number | null> => {
  try {
    return (await findImportedRows(pool, found)).length;
  } catch (error) {
    if (isStatementTimeout(error) || isQueryTimeout(error) || isLockTimeout(error)) return null;
    throw error;
  }
};

/** Changes nothing. */
export const countPerson = async (pool: Pool, person: PersonToErase, contacts: Contacts): Promise<CountedPerson> => {
  const found = await findPerson(pool, person, contacts);
  const { accountId, clientIds, testClients, leadIds } = found;
  return {
    liveClients: clientIds.length - testClients,
    testClients,
    leads: leadIds.length,
    importedRows: await countImportedRows(pool, found),
    ...(await countKept(pool, accountId, clientIds)),
  };
};
