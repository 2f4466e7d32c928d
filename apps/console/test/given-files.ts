import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, secretsKeys } from '@leadback/testing';
import { z } from 'zod';
import { importItem } from '../src/contract/imports.ts';
import { reconciliationItem } from '../src/contract/reconciliations.ts';
import type { SignedIn, TestConsole } from './given-console.ts';

const createdSchema = z.object({ id: z.number() });
const idOf = (reply: { readonly body: unknown }) => createdSchema.parse(reply.body).id;

/** Works off imports and lists, as an api does, until there is nothing left to do. */
export const workOffFiles = async ({ database: { pool } }: Pick<TestConsole, 'database'>): Promise<void> => {
  const register = itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts());
  while (await workOnNextImport(pool, register));
  while (await workOnNextReconciliation(pool, givenContacts()));
};

/** The files of an account, as a person sees them. */
export const filesOf = (console: TestConsole, person: SignedIn, accountId: number) => {
  const path = (rest: string) => `/api/accounts/${accountId}/${rest}`;
  const readImport = async (id: number) => importItem.parse((await person.get(path(`imports/${id}`))).body);
  const readList = async (id: number) =>
    reconciliationItem.parse((await person.get(path(`reconciliations/${id}`))).body);
  return {
    path,
    readImport,
    readList,
    idOf,
    /** The dry run of a file, done. */
    tried: async (file: string, query = 'of=conversion') => {
      const id = idOf(await person.upload(path(`imports?${query}`), file));
      await workOffFiles(console);
      return readImport(id);
    },
    /** A list, compared. */
    compared: async (file: string, query: string) => {
      const id = idOf(await person.upload(path(`reconciliations?${query}`), file));
      await workOffFiles(console);
      return readList(id);
    },
    /** What people did with files. */
    audited: async () => {
      const { rows } = await console.database.pool.query(
        `select actor, action, target, details from audit_entry where account_id = $1 order by id`,
        [accountId],
      );
      return rows;
    },
  };
};

/** A dry run that can be registered, and a list that was compared. */
export const givenFileIds = async ({ database }: Pick<TestConsole, 'database'>, accountId: number) => {
  const { rows } = await database.pool.query<{ dryRun: number; list: number }>(
    `with dry_run as (
       insert into import (account_id, is_test, is_dry_run, subject, state, columns, delimiter, counts, finished_at)
       values ($1, false, true, 'client', 'done', '{leadReference}', ',', '{"created": 1}', now()) returning id
     ), list as (
       insert into reconciliation (account_id, from_at, until_at, walked_at, step, finished_at)
       values ($1, now(), now(), now(), null, now()) returning id
     )
     select dry_run.id as "dryRun", list.id as list from dry_run, list`,
    [accountId],
  );
  const [{ dryRun, list } = { dryRun: 0, list: 0 }] = rows;
  return { dryRun, list };
};
