import { Account } from '@leadback/db';
import { accountOptions, accountRow, accountSchema } from '../account-options.ts';
import { command } from '../command.ts';

export const createAccount = command({
  name: 'account create',
  summary: 'create the account of an advertiser',
  options: accountOptions,
  input: accountSchema,
  async run({ name, country = 'AR', rateLimit = 200, gpc = 'respect' }, { em }) {
    const account = em.create(Account, { name, country, rateLimit, gpcReading: gpc });
    await em.flush();
    return accountRow(account);
  },
});
