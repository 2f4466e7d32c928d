import { z } from 'zod';
import { type CellFacts, readCellFacts, unknownFacts } from '../cells/cell-facts.ts';
import { cellsOptionHelp, readCells } from '../cells/cells-file.ts';
import { overCells, type Reading } from '../cells/over-cells.ts';
import { command } from '../command.ts';
import { formatDuration } from '../doctor/format.ts';
import type { Terminal } from '../terminal.ts';

const inputSchema = z.object({ cells: z.string().optional() });

interface CellRow extends CellFacts {
  readonly [column: string]: unknown;
  readonly cell: string;
  /** What is wrong; null if nothing is. */
  readonly problem: string | null;
}

const rowOf = (reading: Reading<CellFacts>): CellRow =>
  'problem' in reading
    ? { cell: reading.name, ...unknownFacts, problem: reading.problem }
    : { cell: reading.name, ...reading.result, problem: null };

/** Ids of two cells with the same number, or without one, are the same sooner or later. */
const idProblem = (row: CellRow, rows: readonly CellRow[]): string | null => {
  if (row.schema === 'not migrated') return 'not migrated; run `cell create` for it';
  if (row.number === null) return 'its ids have no range of their own; run `cell create` for it';
  const other = rows.find(({ cell, number }) => number === row.number && cell !== row.cell);
  return other === undefined ? null : `it has the ids of cell ${other.cell}: both are number ${row.number}`;
};

const listed = async ({ cells }: z.output<typeof inputSchema>, { env }: Pick<Terminal, 'env'>) => {
  const rows = (await overCells(await readCells(env, cells), readCellFacts)).map(rowOf);
  return rows.map((row) => ({ ...row, problem: row.problem ?? idProblem(row, rows) }));
};

export const listCells = command({
  name: 'cell list',
  summary:
    'list the cells with their numbers, schema, accounts, backlog and conversions; needs no other settings. Exit status 1 if a cell does not respond or its ids are not apart',
  options: [['--cells <file>', cellsOptionHelp]],
  columns: [
    'cell',
    'number',
    'schema',
    'activeAccounts',
    'accounts',
    'oldestDueSeconds',
    'conversionsYesterday',
    'conversionsToday',
    'problem',
  ],
  input: inputSchema,
  runOffline: listed,
  run: listed,
  shown: (rows) =>
    rows.map(({ oldestDueSeconds, ...row }) => ({
      ...row,
      oldestDueSeconds: oldestDueSeconds === null ? null : formatDuration(oldestDueSeconds),
    })),
  isBad: ({ problem }) => problem !== null,
});
