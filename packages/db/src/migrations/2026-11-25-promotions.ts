import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// far above what an asynchronous standby can miss; a cell has room for thousands of such steps
const idsSkipped = 100_000_000;

// The name of the next file of the write-ahead log begins with the timeline, also before the first checkpoint on it.
const now = `(select system_identifier::text from pg_control_system()) || '/' ||
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int`;

// Where timelines grew by several, the steps of those between may be lost as well, with the ids that followed them.
const steps = `case when split_part(known, '/', 1) = split_part(found, '/', 1)
    then greatest(split_part(found, '/', 2)::int - split_part(known, '/', 2)::int, 1) else 1 end`;

// With the rights of the owner, as the functions for visitors. False: a standby, which no app may use, because
// connections outlive its promotion.
const followPromotion = `
  do $do$ begin
    execute format($create$
      create or replace function follow_promotion() returns boolean language plpgsql security definer
      set search_path = %1$I, pg_temp as $function$
      declare
        found text;
        known text;
        numbers record;
      begin
        if pg_is_in_recovery() then return false; end if;
        begin
          found := ${now};
        exception when others then return true; -- a service with a storage of its own, where nothing committed is lost
        end;
        if exists (select from installation where server = found) then return true; end if;
        select server into known from installation for update;
        if known = found then return true; end if;
        if known is not null then
          for numbers in
            select c.oid::regclass as name, s.seqmax as last from pg_sequence s join pg_class c on c.oid = s.seqrelid
            where c.relnamespace = %1$L::regnamespace and s.seqtypid = 'bigint'::regtype
              and pg_has_role(current_user, c.relowner, 'usage')
          loop
            perform setval(numbers.name, least(nextval(numbers.name) + ${idsSkipped} * (${steps}), numbers.last));
          end loop;
          insert into audit_entry (actor, action, target, details)
          values ('leadback', 'database.promoted', 'database', jsonb_build_object('before', known, 'after', found));
        end if;
        update installation set server = found;
        return true;
      end $function$ $create$, current_schema());
  end $do$;
  revoke all on function follow_promotion() from public;
`;

/**
 * Makes ids unique across failovers: a standby that is promoted, and a backup that is restored, may lack the newest rows
 * and would give their ids again. Apps call `follow_promotion` as they connect. The first one after a promotion moves all
 * sequences ahead, before any app has written.
 */
export class Migration20261125249000 extends Migration {
  // a table that cannot be locked in time is tried again, which a failed transaction could not do
  override isTransactional(): boolean {
    return false;
  }

  override up(): Promise<void> {
    const column = 'alter table installation add column if not exists server text;';
    return changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['installation'],
      change: column + followPromotion,
    });
  }
}
