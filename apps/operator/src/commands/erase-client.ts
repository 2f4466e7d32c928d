import { findAccount } from '@leadback/administration';
import { erasePerson, isAnyoneErased } from '@leadback/erasure';
import { inTransaction } from '@leadback/db';
import { emailAddressSchema, optionalText } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const eraseClient = command({
  name: 'client erase',
  summary: 'erase the personal data of a person, live and test, for good; conversions and metrics stay',
  options: [
    ['--account <id>', 'account of the client'],
    ['--email <email>', 'everyone with this email, including visitors who only entered it on a landing page'],
    ['--reference <text>', 'externalReference of the client, live and test'],
  ],
  input: z.object({ account: idSchema, email: emailAddressSchema, reference: optionalText(255) }),
  async run({ account, email, reference }, { em, pool, actor }) {
    if ((email === undefined) === (reference === undefined)) {
      throw new OperatorError('give either --email E or --reference R');
    }
    await findAccount(em, account);
    const person = { accountId: account, email, externalReference: reference };
    const erased = await inTransaction(pool, (on) => erasePerson(on, person, actor));
    if (!isAnyoneErased(erased)) {
      const by = email === undefined ? 'reference' : 'email';
      throw new OperatorError(`account ${account} has no person with this ${by}; erased persons are not found again`);
    }
    return { account, ...erased };
  },
});
