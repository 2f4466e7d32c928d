import { listImports as list } from '@leadback/intake';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { importRow } from '../import-row.ts';

const rowsMax = 100;

export const listImports = command({
  name: 'import list',
  summary: `list the imports of an account, newest first (at most ${rowsMax}), with their rows by outcome`,
  options: [['--account <id>', 'account of the imports']],
  columns: ['id', 'of', 'isTest', 'dryRun', 'state', 'rows', 'done', 'tooOld', 'message', 'createdAt', 'finishedAt'],
  input: z.object({ account: idSchema }),
  async run({ account }, { em, pool }) {
    await findAccount(em, account);
    return (await list(pool, account, { limit: rowsMax })).map(importRow);
  },
});
