import { ApiKey } from '@leadback/db';
import { apiKeyPrefixLength, hashApiKey, issueApiKey } from '@leadback/secrets';
import { audit } from '@leadback/people';
import { requiredText } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';

export const issueKey = command({
  name: 'key issue',
  summary: 'issue an API key, which is shown only once',
  options: [
    ['--account <id>', 'account of the key'],
    ['--name <name>', 'purpose of the key'],
    ['--expires <date>', 'first day (UTC) on which the key no longer works, such as 2027-01-31'],
    ['--test', 'conversions registered with the key are tests: they are left out of metrics'],
  ],
  input: z.object({
    account: idSchema,
    name: requiredText(200),
    expires: z.iso
      .date('expected a date such as 2027-01-31')
      .transform((day) => new Date(day))
      .refine((day) => day > new Date(), 'has passed')
      .optional(),
    test: z.boolean().default(false),
  }),
  async run({ account, name, expires, test }, { em, actor }) {
    const key = issueApiKey();
    const prefix = key.slice(0, apiKeyPrefixLength);
    return em.transactional(async (tx) => {
      const issued = tx.create(ApiKey, {
        account: await findAccount(tx, account),
        name,
        keyHash: hashApiKey(key),
        prefix,
        isTest: test,
        expiresAt: expires ?? null,
      });
      await tx.flush();
      const details = { name, prefix, isTest: test };
      await audit(tx, { actor, action: 'key.issue', accountId: account, target: `key ${issued.id}`, details });
      return { id: issued.id, key, prefix };
    });
  },
});
