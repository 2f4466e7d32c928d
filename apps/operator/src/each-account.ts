import { findAccount, listAccounts } from '@leadback/core/accounts/accounts';
import type { EntityManager } from '@leadback/db';
import { z } from 'zod';
import { idSchema } from './options.ts';

/** Of lists of what accounts have. */
export const eachAccountOptions = (what: string) =>
  [
    ['--account <id>', `account of the ${what}`],
    ['--all', `the ${what} of all accounts, with the account of each`],
  ] as const;

export const eachAccountSchema = z
  .object({ account: idSchema.optional(), all: z.boolean().default(false) })
  .refine(({ account, all }) => (account === undefined) === all, {
    path: ['account'],
    error: 'give an account, or --all',
  });

/** The first columns of a list of all accounts. */
type OfAccount = Readonly<Partial<Record<'accountId', number> & Record<'accountName', string>>>;

/** The rows of one account, or of each. */
export const rowsOfEach = async <Listed extends object>(
  em: EntityManager,
  { account, all }: z.output<typeof eachAccountSchema>,
  rowsOf: (accountId: number) => Promise<readonly Listed[]>,
): Promise<(Listed & OfAccount)[]> => {
  const accounts = all ? await listAccounts(em) : account === undefined ? [] : [await findAccount(em, account)];
  const listed: (Listed & OfAccount)[] = [];
  for (const { id, name } of accounts) {
    for (const row of await rowsOf(id)) listed.push(all ? { accountId: id, accountName: name, ...row } : row);
  }
  return listed;
};
