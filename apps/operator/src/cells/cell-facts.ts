import { cellsOf, type Database, readIdSequences, readMigrationFacts } from '@leadback/db';
import { measureBacklog } from '@leadback/delivery';
import { readTotals } from '@leadback/reports';

/** What `cell list` says about a cell. */
export interface CellFacts {
  /** Null if its ids have no range of their own, or several. */
  readonly number: number | null;
  /** The newest migration that has run. */
  readonly schema: string;
  readonly activeAccounts: number | null;
  readonly accounts: number | null;
  /** For how long the delivery that waits longest could have been sent. */
  readonly oldestDueSeconds: number | null;
  /** In UTC, without tests. */
  readonly conversionsYesterday: number | null;
  readonly conversionsToday: number | null;
}

export const unknownFacts: CellFacts = {
  number: null,
  schema: '',
  activeAccounts: null,
  accounts: null,
  oldestDueSeconds: null,
  conversionsYesterday: null,
  conversionsToday: null,
};

export const readCellFacts = async (database: Database): Promise<CellFacts> => {
  const { newest } = await readMigrationFacts(database.em());
  if (newest === undefined) return { ...unknownFacts, schema: 'not migrated' };
  const [number, ...others] = cellsOf(await readIdSequences(async (sql) => (await database.pool.query(sql)).rows));
  const { parts } = await measureBacklog(database.pool);
  return {
    ...unknownFacts,
    number: others.length > 0 ? null : (number ?? null),
    schema: newest,
    ...(await readTotals(database.pool)),
    oldestDueSeconds: Math.max(0, ...parts.map(({ freeSeconds }) => freeSeconds)),
  };
};
