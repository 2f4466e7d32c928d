import { issueKey as issue } from '@leadback/administration';
import { expiryDaySchema, keyScopes, keyScopesSchema, requiredText } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const issueKey = command({
  name: 'key issue',
  summary: 'issue an API key, which is shown only once',
  options: [
    ['--account <id>', 'account of the key'],
    ['--name <name>', 'purpose of the key'],
    ['--expires <date>', 'first day (UTC) on which the key no longer works, such as 2027-01-31'],
    ['--may <scopes>', 'what it may do, such as read,register: read, register, erase; all without it'],
    ['--test', 'conversions registered with the key are tests: they are left out of metrics'],
  ],
  input: z.object({
    account: idSchema,
    name: requiredText(200),
    expires: expiryDaySchema.optional(),
    may: z
      .string()
      .transform((text) => text.split(',').map((scope) => scope.trim()))
      .pipe(keyScopesSchema)
      .default([...keyScopes]),
    test: z.boolean().default(false),
  }),
  run: ({ account: accountId, name, expires: expiresAt, may: scopes, test: isTest }, { em, actor }) =>
    issue(em, { accountId, name, isTest, scopes, expiresAt, actor }).then((issued) => ({ ...issued })),
});
