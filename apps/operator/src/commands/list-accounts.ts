import { listAccounts as list } from '@leadback/administration';
import { z } from 'zod';
import { accountColumns, accountRow } from '../account-options.ts';
import { cellsOptionHelp, readCells } from '../cells/cells-file.ts';
import { overCells, type Reading } from '../cells/over-cells.ts';
import { command, type Row } from '../command.ts';

/** With the cell in front. A cell that does not respond is a row with the problem. */
const rowsOf = (reading: Reading<readonly Row[]>): readonly Row[] =>
  'problem' in reading
    ? [{ cell: reading.name, problem: reading.problem }]
    : reading.result.map((row) => ({ cell: reading.name, problem: null, ...row }));

export const listAccounts = command({
  name: 'account list',
  summary: 'list all accounts; with --cells those of all cells, and exit status 1 if a cell does not respond',
  options: [['--cells [file]', cellsOptionHelp]],
  columns: accountColumns,
  input: z.object({ cells: z.union([z.string(), z.literal(true)]).optional() }),
  async runOffline({ cells }, { env }) {
    if (cells === undefined) return undefined;
    const listed = await readCells(env, cells === true ? undefined : cells);
    const readings = await overCells(listed, async (database) => (await list(database.em())).map(accountRow));
    return readings.flatMap(rowsOf);
  },
  run: async (_input, { em }): Promise<readonly Row[]> => (await list(em)).map(accountRow),
  isBad: ({ problem }) => typeof problem === 'string',
});
