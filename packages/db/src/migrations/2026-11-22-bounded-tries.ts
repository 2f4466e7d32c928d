import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table. The check reads the imports alone, not their rows.
const columns = `
  alter table reconciliation
    add column if not exists failures int not null default 0,
    add column if not exists is_failed boolean not null default false;
  alter table import
    add column if not exists failures int not null default 0,
    add column if not exists retry_at timestamptz(6),
    add column if not exists too_old jsonb not null default '{}',
    drop constraint if exists import_state_check,
    add constraint import_state_check
      check (state in ('uploading', 'pending', 'running', 'done', 'refused', 'failed'));
  alter table import_row add column if not exists trial_event_id text;
`;

/**
 * How often the work on an import or a reconciliation has failed, so that it ends; and what dry runs of imports need to
 * find repeated event ids and rows that are too old for a platform.
 */
export class Migration20261122191000 extends Migration {
  // waits for locks with pauses, and builds an index, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['import', 'import_row', 'reconciliation'], change: columns });
    await buildIndex(
      execute,
      'import_row_import_id_trial_event_id_index',
      'import_row (import_id, trial_event_id) where trial_event_id is not null',
    );
  }
}
