import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry } from '../change-with-lock-retry.ts';

const columns = `
  alter table import
    add column if not exists trial_id bigint,
    add column if not exists file_name text,
    add column if not exists created_by text,
    add column if not exists money jsonb not null default '{}',
    add column if not exists unshared int not null default 0;
  alter table reconciliation
    add column if not exists file_name text,
    add column if not exists created_by text,
    add column if not exists money jsonb not null default '{}';
`;

/**
 * Who sent a file, what its rows are worth, and which dry run a person had registered. The rows of an import that have a
 * message have an index of their own, with a condition that no other index fits.
 */
export class Migration20261122226000 extends Migration {
  // waits for locks with pauses, and builds indexes, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['import', 'reconciliation'], change: columns });
    await buildIndex(execute, 'import_trial_id_index', 'import (trial_id) where trial_id is not null');
    await buildIndex(execute, 'reconciliation_account_id_id_index', 'reconciliation (account_id, id)');
    await buildIndex(
      execute,
      'import_row_message_index',
      'import_row (outcome, (import_id + 0), line) where message is not null',
    );
  }
}
