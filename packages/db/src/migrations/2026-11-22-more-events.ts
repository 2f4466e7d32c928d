import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table. The checks read the connections alone, which are few.
const columns = `
  alter table platform_connection
    add column if not exists event_kinds text[] not null default '{conversion}',
    add column if not exists event_names jsonb not null default '{}',
    drop constraint if exists platform_connection_event_kinds_check,
    add constraint platform_connection_event_kinds_check
      check (event_kinds <@ array['conversion'::text, 'lead'::text]),
    drop constraint if exists platform_connection_any_event_check,
    add constraint platform_connection_any_event_check check (cardinality(event_kinds) > 0),
    drop constraint if exists platform_connection_event_names_check,
    add constraint platform_connection_event_names_check check (jsonb_typeof(event_names) = 'object'::text);
  alter table conversion add column if not exists event_name text;

  -- deliveries are built with the event names as well
  drop trigger if exists version_counted on platform_connection;
  create trigger version_counted before update on platform_connection for each row
    when ((old.settings, old.credentials, old.event_names, old.resumed_at)
          is distinct from (new.settings, new.credentials, new.event_names, new.resumed_at))
    execute function count_connection_version();
`;

/**
 * What a connection is told of (conversions, leads), and what its platform calls the events that partners name. Apps of
 * the version before register conversions without a name, and deliver as before.
 */
export class Migration20261122180000 extends Migration {
  // waits for locks with pauses, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['conversion', 'platform_connection'],
      change: columns,
    });
  }
}
