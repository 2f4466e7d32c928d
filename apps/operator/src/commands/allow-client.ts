import { findAccount } from '@leadback/administration';
import { inTransaction, openContacts } from '@leadback/db';
import { emailAddressSchema, optionalText } from '@leadback/domain';
import { allowPerson } from '@leadback/erasure';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';
import { requireSetting } from '../require-setting.ts';

export const allowClient = command({
  name: 'client allow',
  summary: 'let an account register an erased person again whom it suppresses; nothing that was erased comes back',
  options: [
    ['--account <id>', 'account that suppresses the person'],
    ['--email <email>', 'email with which the person was erased'],
    ['--phone <number>', 'phone number with which the person was erased'],
    ['--erasure <id>', 'id of the erasure, which the refusal names'],
  ],
  columns: ['account', 'erasure'],
  input: z.object({
    account: idSchema,
    email: emailAddressSchema,
    phone: optionalText(40),
    erasure: optionalText(22),
  }),
  async run({ account, email, phone, erasure }, { em, pool, actor, secretsKeys }) {
    if ([email, phone, erasure].filter((name) => name !== undefined).length !== 1) {
      throw new OperatorError('give one of --email E, --phone N and --erasure ID');
    }
    const contacts = openContacts(requireSetting('SECRETS_KEY', secretsKeys));
    await findAccount(em, account);
    const person = { accountId: account, email, phoneNumber: phone, erasureId: erasure, actor };
    const ids = await inTransaction(pool, (on) => allowPerson(on, person, contacts));
    if (ids.length === 0) throw new OperatorError(`account ${account} suppresses nobody with this name`);
    return ids.map((id) => ({ account, erasure: id }));
  },
});
