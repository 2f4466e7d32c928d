import { Account } from '@leadback/db';
import { z } from 'zod';
import { accountRow } from '../account-options.ts';
import { command } from '../command.ts';

export const listAccounts = command({
  name: 'account list',
  summary: 'list all accounts',
  input: z.object({}),
  async run(_input, { em }) {
    const accounts = await em.findAll(Account, { orderBy: { id: 'asc' } });
    return accounts.map(accountRow);
  },
});
