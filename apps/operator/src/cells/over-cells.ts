import { type Database, databaseErrorCode, openDatabase } from '@leadback/db';
import { checkDatabase } from '../doctor/check-database.ts';
import { entities } from '../entities.ts';
import type { ListedCell } from './cells-file.ts';

/** What was read from a cell, or why it was not. */
export type Reading<Result> =
  | { readonly name: string; readonly result: Result }
  | { readonly name: string; readonly problem: string };

const statementMaxMs = 10_000;

const readCell = async <Result>(
  { name, databaseUrl }: ListedCell,
  read: (database: Database) => Promise<Result>,
): Promise<Reading<Result>> => {
  await using database = await openDatabase({
    url: databaseUrl,
    applicationName: 'leadback operator',
    connectionsMax: 1,
    statementMaxMs,
    entities,
  });
  const reached = await checkDatabase(database.em(), databaseUrl);
  if (reached.state === 'error') return { name, problem: reached.finding };
  try {
    return { name, result: await read(database) };
  } catch (error) {
    return { name, problem: `cannot read it (${databaseErrorCode(error) ?? String(error)}); run doctor for this cell` };
  }
};

/** Reads from all cells at once. */
export const overCells = <Result>(
  cells: readonly ListedCell[],
  read: (database: Database) => Promise<Result>,
): Promise<Reading<Result>[]> => Promise.all(cells.map((cell) => readCell(cell, read)));
