import { openPool } from '@leadback/db';
import type { TestDatabase } from '@leadback/testing';

const failing = `
  create or replace function fail_row() returns trigger language plpgsql as $$
  begin
    raise exception 'a failure of a test' using errcode = tg_argv[0];
  end $$`;

/** Rows of a table that meet a condition on `new` can be neither inserted nor updated until it is disposed. */
export const givenFailingRows = async (
  { ownerUrl }: TestDatabase,
  { table, when, sqlState }: { readonly table: string; readonly when: string; readonly sqlState: string },
): Promise<AsyncDisposable> => {
  const owner = await openPool({ url: ownerUrl, applicationName: 'test' });
  await owner.pool.query(failing);
  await owner.pool.query(
    `create trigger failing_rows before insert or update on ${table} for each row when (${when})
     execute function fail_row('${sqlState}')`,
  );
  return {
    async [Symbol.asyncDispose]() {
      await owner.pool.query(`drop trigger failing_rows on ${table}`);
      await owner[Symbol.asyncDispose]();
    },
  };
};
