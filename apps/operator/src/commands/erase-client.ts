import { eraseClient as erase } from '@leadback/db';
import { emailAddressSchema, optionalText } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '../find-account.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const eraseClient = command({
  name: 'client erase',
  summary: 'take out everything personal of a person, live and test, for good; conversions and metrics stay',
  options: [
    ['--account <id>', 'whose client it is'],
    ['--email <e-mail>', 'everybody with this e-mail, also who only left it on a landing page'],
    ['--reference <text>', "by the account's own reference (externalReference), of live and test clients"],
  ],
  input: z.object({ account: idSchema, email: emailAddressSchema, reference: optionalText(255) }),
  async run({ account, email, reference }, { em, pool }) {
    if ((email === undefined) === (reference === undefined)) {
      throw new OperatorError('say whom to erase: --email E or --reference R');
    }
    await findAccount(em, account);
    const erased = await erase(pool, { accountId: account, email, externalReference: reference });
    if (erased.clients === 0 && erased.leads === 0) {
      const by = email === undefined ? 'reference' : 'e-mail';
      throw new OperatorError(
        `account ${account} has nobody with this ${by}; who was erased before is not found again`,
      );
    }
    return { account, ...erased };
  },
});
