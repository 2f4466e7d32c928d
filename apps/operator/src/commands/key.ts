import { issueKey as issue, listKeys as list, revokeKey as revoke } from '@leadback/core/api-keys/keys';
import { expiryDaySchema, keyScopes, keyScopesSchema, requiredText } from '@leadback/domain';
import { z } from 'zod';
import type { ApiKey } from '@leadback/db';
import { command } from '../command.ts';
import { eachAccountOptions, eachAccountSchema, rowsOfEach } from '../each-account.ts';
import { idSchema } from '../options.ts';

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

/** Leaves out the hash of the key. */
const keyRow = ({ id, name, prefix, isTest, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  isTest,
  may: scopes.join(','),
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
});

export const listKeys = command({
  name: 'key list',
  summary: 'list the keys of an account and when they were last used, to the minute',
  options: eachAccountOptions('keys'),
  brief: ['accountId', 'id', 'name', 'prefix', 'isTest', 'revokedAt', 'lastUsedAt'],
  columns: ['id', 'name', 'prefix', 'isTest', 'may', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
  input: eachAccountSchema,
  run: (wanted, { em }) => rowsOfEach(em, wanted, async (id) => (await list(em, id)).map(keyRow)),
});

export const revokeKey = command({
  name: 'key revoke',
  summary: 'revoke a key for good, within 10 s everywhere',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  run: async ({ id }, { em, actor }) => keyRow(await revoke(em, { id, actor })),
});
