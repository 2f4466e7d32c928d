import { Migration } from '@mikro-orm/migrations';
import { buildIndex } from '../change-with-lock-retry.ts';

const taskKinds = `
  alter table console_task drop constraint if exists console_task_kind_check;
  alter table console_task add constraint console_task_kind_check check (kind in ('retry', 'erase'));
`;

/**
 * Finds the conversions of a client and the leads with an email, for the story of a person and for erasing it, and the
 * receipts of erasures. Most leads have no email, and are not in its index. Run again after a failure, it finishes what is
 * missing.
 */
export class Migration20261122222000 extends Migration {
  // indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await this.execute(taskKinds);
    await buildIndex(execute, 'conversion_client_id_id_index', 'conversion (client_id, id)');
    await buildIndex(
      execute,
      'lead_email_index',
      `lead (account_id, (case when email ~ '[^ -~]' then '' else lower(btrim(email)) end), id) where email is not null`,
    );
    await buildIndex(
      execute,
      'audit_entry_erasure_index',
      `audit_entry (account_id, id) where action = 'client.erase'`,
    );
  }
}
