import { ApiKey } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { keyRow } from '../key-row.ts';

export const listKeys = command({
  name: 'key list',
  summary: 'list the keys of an account and when they were last used, to the minute',
  options: [['--account <id>', 'account of the keys']],
  input: z.object({ account: idSchema }),
  async run({ account }, { em }) {
    await findAccount(em, account);
    const keys = await em.find(ApiKey, { account }, { orderBy: { id: 'asc' } });
    return keys.map(keyRow);
  },
});
