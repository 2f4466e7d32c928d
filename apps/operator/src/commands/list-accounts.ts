import { listAccounts as list } from '@leadback/administration';
import { z } from 'zod';
import { accountRow } from '../account-options.ts';
import { command } from '../command.ts';

export const listAccounts = command({
  name: 'account list',
  summary: 'list all accounts',
  input: z.object({}),
  run: async (_input, { em }) => (await list(em)).map(accountRow),
});
