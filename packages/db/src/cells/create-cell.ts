import type { Pool } from 'pg';
import { z } from 'zod';
import { withLockRetry } from '../transaction.ts';
import { migrateAlone, withMigrationLock } from '../migrate.ts';
import {
  type IdRange,
  idRangeOf,
  cellsOf,
  type Execute,
  giveRange,
  type IdSequence,
  readIdSequences,
} from './cells.ts';

/** Why a database cannot be this cell; nothing was changed. */
export type CellRefusal =
  | { readonly kind: 'other-cell'; readonly cell: number }
  /** A table has rows with other ids. */
  | { readonly kind: 'other-ids'; readonly table: string; readonly ids: IdRange };

export type CellCreation =
  | { readonly kind: 'created'; readonly migrations: readonly string[]; readonly ids: IdRange }
  | CellRefusal;

// statements that come after a waiting lock request have to wait as well
const shortWait = `set local lock_timeout = '200ms'`;

const idsSchema = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

const idsOf = async (execute: Execute, { table, column }: IdSequence): Promise<IdRange> => {
  const rows = await execute(
    `select coalesce(min(${column}), 0) as first, coalesce(max(${column}), 0) as last from ${table}`,
  );
  return idsSchema.parse(rows)[0];
};

const refusalOf = async (execute: Execute, cell: number): Promise<CellRefusal | undefined> => {
  const sequences = await readIdSequences(execute);
  const other = cellsOf(sequences).find((one) => one !== cell);
  if (other !== undefined) return { kind: 'other-cell', cell: other };
  const { first, last } = idRangeOf(cell);
  for (const sequence of sequences) {
    const ids = await idsOf(execute, sequence);
    if (ids.last !== 0 && (ids.first < first || ids.last > last))
      return { kind: 'other-ids', table: sequence.table, ids };
  }
  return undefined;
};

const executeOn =
  (pool: Pool): Execute =>
  async (sql) =>
    (await pool.query(sql)).rows;

/**
 * Migrates a database as `migrate` does, and gives all its ids the range of a cell. Changes nothing if that is done. Also
 * for a database in use, whose ids are those of cell 0: each sequence is changed by itself, so that apps wait
 * for one only as long as that takes.
 */
export const createCell = (url: string, cell: number): Promise<CellCreation> =>
  withMigrationLock(url, async (database) => {
    const execute = executeOn(database.pool);
    const refusal = await refusalOf(execute, cell);
    if (refusal) return refusal;
    const migrations = await migrateAlone(database);
    for (const sequence of await readIdSequences(execute)) {
      if (sequence.cell === undefined) await withLockRetry(() => execute(`${shortWait}; ${giveRange(sequence, cell)}`));
    }
    return { kind: 'created', migrations, ids: idRangeOf(cell) };
  });
