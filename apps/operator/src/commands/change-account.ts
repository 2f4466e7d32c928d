import { accountOptions, accountRow, accountSchema } from '../account-options.ts';
import { audit } from '@leadback/people';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const changeAccount = command({
  name: 'account change',
  summary: 'change an account; other settings stay. Pending deliveries follow the new settings',
  argument: '<id>',
  options: accountOptions,
  input: accountSchema.partial().extend({ id: idSchema }),
  async run({ id, gpc, ...given }, { em, actor }) {
    const typed = { ...given, gpcReading: gpc };
    const changes = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length === 0) throw new OperatorError('nothing to change: give an option, see --help');
    return em.transactional(async (tx) => {
      const account = await findAccount(tx, id);
      tx.assign(account, changes);
      await audit(tx, { actor, action: 'account.change', accountId: id, target: `account ${id}`, details: changes });
      return accountRow(account);
    });
  },
});
