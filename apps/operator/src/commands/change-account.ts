import { changeAccount as change } from '@leadback/administration';
import { accountSettingsSchema } from '@leadback/domain';
import { accountOptions, accountRow } from '../account-options.ts';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const changeAccount = command({
  name: 'account change',
  summary: 'change an account; other settings stay. Pending deliveries follow the new settings',
  argument: '<id>',
  options: accountOptions,
  input: accountSettingsSchema.partial().extend({ id: idSchema }),
  async run({ id, ...changes }, { em, actor }) {
    if (Object.values(changes).every((value) => value === undefined))
      throw new OperatorError('nothing to change: give an option, see --help');
    return accountRow(await change(em, { id, ...changes, actor }));
  },
});
