import { Account } from '@leadback/db';
import { requiredText } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';

const ratesAllowed = 'expected a whole number from 1 to 1000000';

export const createAccount = command({
  name: 'account create',
  summary: 'set up an advertiser',
  options: [
    ['--name <name>', 'what the account is called'],
    ['--country <code>', 'whose national phone numbers its clients write (ISO 3166-1), default AR'],
    ['--rate-limit <n>', 'requests a second that one key may make, default 200'],
  ],
  input: z.object({
    name: requiredText(200),
    country: z
      .string()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'expected two letters, such as AR')
      .default('AR'),
    rateLimit: z.coerce
      .number(ratesAllowed)
      .refine((rate) => Number.isInteger(rate) && rate >= 1 && rate <= 1_000_000, ratesAllowed)
      .default(200),
  }),
  async run(input, { em }) {
    const account = em.create(Account, input);
    await em.flush();
    return { id: account.id, name: account.name, status: account.status };
  },
});
