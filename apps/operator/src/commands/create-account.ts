import { Account } from '@leadback/db';
import { audit } from '@leadback/people';
import { accountOptions, accountRow, accountSchema } from '../account-options.ts';
import { command } from '../command.ts';

export const createAccount = command({
  name: 'account create',
  summary: 'create the account of an advertiser',
  options: accountOptions,
  input: accountSchema,
  async run({ name, country = 'AR', rateLimit = 200, gpc = 'respect' }, { em, actor }) {
    return em.transactional(async (tx) => {
      const account = tx.create(Account, { name, country, rateLimit, gpcReading: gpc });
      await tx.flush();
      await audit(tx, { actor, action: 'account.create', accountId: account.id, target: `account ${account.id}` });
      return accountRow(account);
    });
  },
});
