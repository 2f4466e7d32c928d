import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table.
const columns = `
  alter table lead add column if not exists contact bytea, add column if not exists email_hash text;
  alter table client add column if not exists contact bytea;
  alter table reconciliation_row add column if not exists contact bytea;
`;

/** Contact data of people as the apps encrypt them, and what encrypted emails of leads are found by. */
export class Migration20261123242000 extends Migration {
  // the index is built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['lead', 'client', 'reconciliation_row'], change: columns });
    const on = 'lead (account_id, email_hash, id) where email_hash is not null';
    await buildIndex(execute, 'lead_email_hash_index', on);
  }
}
