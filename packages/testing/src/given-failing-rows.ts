import type { TestDatabase } from './given-database.ts';

const failing = `
  create or replace function fail_row() returns trigger language plpgsql as $$
  begin
    raise exception 'a failure of a test' using errcode = tg_argv[0];
  end $$`;

/** Rows of a table that meet a condition on `new` can be neither inserted nor updated until it is disposed. */
export const givenFailingRows = async (
  database: TestDatabase,
  { table, when, sqlState }: { readonly table: string; readonly when: string; readonly sqlState: string },
): Promise<AsyncDisposable> => {
  await database.asOwner(failing);
  await database.asOwner(
    `create trigger failing_rows before insert or update on ${table} for each row when (${when})
     execute function fail_row('${sqlState}')`,
  );
  return {
    async [Symbol.asyncDispose]() {
      await database.asOwner(`drop trigger failing_rows on ${table}`);
    },
  };
};
