import type { Database } from '@leadback/db';

// entities cannot describe a foreign key that compares the account, too: same-account.test.ts tests them
const ofAccounts = [
  ['account_metric', 'landing_page_id'],
  ['connection_settings_change', 'connection_id'],
  ['platform_request', 'connection_id'],
  ['source_event', 'source_id'],
].map(([table, column]) => `alter table "${table}" drop constraint "${table}_${column}_of_account_foreign";`);

/** The statements that would change a database, opened as its owner, to the schema of the entities. */
export const schemaDifferences = async ({ orm }: Database): Promise<string[]> => {
  const statements = (await orm.schema.getUpdateSchemaSQL({ wrap: false })).split('\n');
  return statements.filter((statement) => statement !== '' && !ofAccounts.includes(statement));
};
