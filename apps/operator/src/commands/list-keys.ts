import { listKeys as list } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { keyRow } from '../key-row.ts';

export const listKeys = command({
  name: 'key list',
  summary: 'list the keys of an account and when they were last used, to the minute',
  options: [['--account <id>', 'account of the keys']],
  columns: ['id', 'name', 'prefix', 'isTest', 'may', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
  input: z.object({ account: idSchema }),
  run: async ({ account }, { em }) => (await list(em, account)).map(keyRow),
});
