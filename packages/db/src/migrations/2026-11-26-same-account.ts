import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

const parents = ['platform_connection', 'landing_page'] as const;
const references = [
  { table: 'connection_settings_change', column: 'connection_id', parent: 'platform_connection' },
  { table: 'platform_request', column: 'connection_id', parent: 'platform_connection' },
  { table: 'account_metric', column: 'landing_page_id', parent: 'landing_page' },
] as const;

/**
 * Lets the foreign keys that are left compare the account as well. In the tables of leads, clients, conversions and
 * deliveries that costs more than 5 %: see docs/privileges.md.
 */
export class Migration20261126253000 extends Migration {
  // indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    for (const parent of parents) {
      const index = `${parent}_account_id_id_unique`;
      const built = await this.execute(
        `select from pg_index where indexrelid = to_regclass('${index}') and indisvalid`,
      );
      // run again after a failure: foreign keys may need it already
      if (built.length === 0) await buildIndex(execute, index, `${parent} (account_id, id)`, { isUnique: true });
      // it is the beginning of the new one
      await withLockRetry(() => execute(`drop index concurrently if exists ${parent}_account_id_index`));
    }
    for (const { table, column, parent } of references) {
      const name = `${table}_${column}_of_account_foreign`;
      await changeWithLockRetry(execute, {
        tables: [parent, table],
        change: `
          alter table ${table} drop constraint if exists ${name}, drop constraint if exists ${table}_${column}_foreign;
          alter table ${table} add constraint ${name}
            foreign key (account_id, ${column}) references ${parent} (account_id, id) not valid`,
      });
      await withLockRetry(() => execute(`alter table ${table} validate constraint ${name}`));
    }
  }
}
