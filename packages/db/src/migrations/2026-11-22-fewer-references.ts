import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

const references = [
  ['lead', 'account'],
  ['lead', 'landing_page'],
  ['client', 'account'],
  ['conversion', 'account'],
  ['conversion', 'client'],
  ['feedback', 'conversion'],
  ['feedback', 'connection', 'platform_connection'],
] as const;

/**
 * Drops the foreign keys that registrations check in vain. Accounts, pages, connections, clients and conversions are
 * never deleted; the statements that insert have just read what they refer to, or inserted it. Each check locks a row,
 * and that of an account or a page is shared by all registrations at that moment: a fifth of what PostgreSQL does for a
 * lead. After a vacuum of empty tables it even scanned all conversions, until the table was analyzed. A client goes on
 * checking its lead: retention deletes leads that have none.
 */
export class Migration20261122229000 extends Migration {
  // waits for locks with pauses, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const [table, column, of = column] of references) {
      await changeWithLockRetry((sql) => this.execute(sql), {
        tables: [of, table],
        change: `alter table ${table} drop constraint if exists ${table}_${column}_id_foreign`,
      });
    }
  }
}
