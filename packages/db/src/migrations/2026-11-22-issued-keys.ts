import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table.
const columns = `
  alter table api_key add column if not exists issued_by text;
  alter table person add column if not exists seen_at timestamptz(6);
`;

const knownFromTheAuditLog = `
  update api_key set issued_by = e.actor
  from audit_entry e
  where e.action = 'key.issue' and e.account_id = api_key.account_id and e.target = 'key ' || api_key.id
    and api_key.issued_by is null;
  update person set seen_at = s.seen_at
  from (select person_id, max(seen_at) as seen_at from person_session group by person_id) s
  where s.person_id = person.id and person.seen_at is null;
`;

/**
 * Who issued a key, when a person of the console was last there, and indexes that list the audit log by time: of one
 * account, and of all. Run again after a failure, it finishes what is missing.
 */
export class Migration20261122225000 extends Migration {
  // indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['api_key', 'person'], change: columns });
    await this.execute(knownFromTheAuditLog);
    await buildIndex(execute, 'audit_entry_account_id_at_id_index', 'audit_entry (account_id, at, id)');
    await buildIndex(execute, 'audit_entry_at_id_index', 'audit_entry (at, id)');
    await withLockRetry(() => execute('drop index concurrently if exists audit_entry_account_id_id_index'));
  }
}
