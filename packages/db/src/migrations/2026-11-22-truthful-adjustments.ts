import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table. Of a delivery of before, null says: sent with the settings of now.
const history = `
  create table if not exists connection_settings_change (
    connection_id bigint not null constraint connection_settings_change_connection_id_foreign references platform_connection,
    version int not null,
    account_id bigint not null constraint connection_settings_change_account_id_foreign references account,
    settings jsonb not null,
    event_names jsonb not null,
    changed_at timestamptz(6) not null default clock_timestamp(),
    primary key (connection_id, version)
  );

  alter table feedback
    add column if not exists sent_version int,
    add column if not exists is_confirmed boolean;

  create or replace function count_connection_version() returns trigger language plpgsql as $$
  begin
    new.version = old.version + 1;
    -- webhooks get no adjustments, and the URL of a deleted one is kept nowhere
    if old.platform <> 'webhook' and (old.settings, old.event_names) is distinct from (new.settings, new.event_names) then
      insert into connection_settings_change (connection_id, version, account_id, settings, event_names)
      values (old.id, old.version, old.account_id, old.settings, old.event_names);
    end if;
    return new;
  end $$;
`;

/**
 * Where a conversion was sent, and whether the platform has confirmed it: an adjustment goes to the same place, or
 * nowhere. Runs beside apps of the version before, which leave the new columns null. Run again after a failure, it
 * finishes what is missing.
 */
export class Migration20261122190000 extends Migration {
  // waits for locks with pauses, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['account', 'platform_connection', 'feedback'],
      change: history,
    });
  }
}
