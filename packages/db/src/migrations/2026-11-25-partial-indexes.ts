import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

const tables = ['client', 'conversion', 'conversion_adjustment'] as const;

/**
 * Indexes of what only tests have leave out all other rows. Before, each live client and conversion wrote entries that
 * nobody looked for, a gigabyte with ten million of them. Run again after a failure, it finishes what is missing.
 */
export class Migration20261125250000 extends Migration {
  // indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    for (const table of tables) {
      const constraint = `${table}_account_id_test_reference_unique`;
      const found = await this.execute(`select from pg_constraint where conname = '${constraint}'
        and connamespace = current_schema()::regnamespace`);
      // It goes once its successor is there, so that two can never register a reference: one whose constraint is gone has it.
      if (found.length === 0) continue;
      await buildIndex(
        execute,
        `${table}_test_reference_unique`,
        `${table} (account_id, test_reference) where test_reference is not null`,
        { isUnique: true },
      );
      await changeWithLockRetry(execute, {
        tables: [table],
        change: `alter table ${table} drop constraint ${constraint}`,
      });
    }
    await buildIndex(
      execute,
      'client_test_email_key_index',
      'client (account_id, test_email_key, id) where test_email_key is not null',
    );
    await withLockRetry(() => execute('drop index concurrently if exists client_account_id_test_email_key_id_index'));
  }
}
