import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of the table.
const change = `
  alter table account
    add column if not exists data_key bytea,
    add column if not exists encrypts_contacts boolean not null default false;
`;

/** Each account's own key, and whether its contact data is written encrypted. Accounts from before get a key when one is needed. */
export class Migration20261123241000 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), { tables: ['account'], change });
  }
}
