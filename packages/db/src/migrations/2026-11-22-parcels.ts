import { Migration } from '@mikro-orm/migrations';
import { z } from 'zod';
import { changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

// Open deliveries are found in a small table that stays in memory. Its rows are rewritten often, so it is vacuumed
// often, and without pauses.
const parcels = `
  create table if not exists feedback_due (
    id bigserial primary key,
    account_id bigint not null,
    connection_id bigint not null,
    is_test boolean not null default false,
    feedback_ids bigint[] not null,
    phase text not null default 'waiting'
      constraint feedback_due_phase_check check (phase in ('waiting', 'claimed')),
    not_before timestamptz(6) not null default now(),
    claim int not null default 0,
    claims_lost int not null default 0,
    retry_from timestamptz(6) not null default now(),
    oldest_at timestamptz(6) not null default now()
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
          autovacuum_vacuum_cost_delay = 0);
  create index if not exists feedback_due_connection_id_not_before_index on feedback_due (connection_id, not_before);
  create index if not exists feedback_due_suspect_index on feedback_due (not_before) where claims_lost >= 2;

  -- what apps of this version make pending is never due for those of the version before
  alter table feedback
    add column if not exists parcel_id bigint,
    alter column due_at set default now() + interval '100 years';
  alter table feedback set (fillfactor = 60);

  -- Apps of the version before know no parcels: what they make pending gets a parcel of its own here, and what they
  -- close belongs to none, so that it gets a new one if they make it pending again. The old parcel may still name it:
  -- the worker that claims that parcel leaves it out.
  create or replace function enqueue_for_earlier_version() returns trigger language plpgsql as $$
  begin
    if new.state <> 'pending' then
      new.parcel_id = null;
      return new;
    end if;
    insert into feedback_due (account_id, connection_id, is_test, feedback_ids, not_before, retry_from, oldest_at)
    select new.account_id, new.connection_id, coalesce(v.is_test, false), array[new.id],
           case when new.due_at > now() + interval '1 year' then now() else new.due_at end,
           coalesce(new.retried_since, new.created_at), coalesce(v.occurred_at, v.created_at, now())
    from (select) alone left join conversion v on v.id = new.conversion_id
    returning id into new.parcel_id;
    return new;
  end $$;
  drop trigger if exists enqueued on feedback;
  create trigger enqueued before insert or update on feedback for each row
    when ((new.state = 'pending') = (new.parcel_id is null)) execute function enqueue_for_earlier_version();

  -- Written by statements that have just read the parent row; every check would read and lock it once more.
  alter table feedback drop constraint if exists feedback_account_id_foreign;
  alter table feedback_attempt
    drop constraint if exists feedback_attempt_account_id_foreign,
    drop constraint if exists feedback_attempt_feedback_id_foreign;

  alter table platform_connection
    drop constraint if exists platform_connection_platform_check,
    add column if not exists version int not null default 1;
  create or replace function count_connection_version() returns trigger language plpgsql as $$
  begin
    new.version = old.version + 1;
    return new;
  end $$;
  drop trigger if exists version_counted on platform_connection;
  create trigger version_counted before update on platform_connection for each row
    when ((old.settings, old.credentials, old.resumed_at) is distinct from (new.settings, new.credentials, new.resumed_at))
    execute function count_connection_version();
`;

const idsPerStatement = 5_000;

// Those that no app has touched since the trigger exists. Held ones (due_at 'infinity') wait for their connection alone.
const backfill = (from: number) => `
  with open as (
    select f.id, f.account_id, f.connection_id, v.is_test, coalesce(f.retried_since, f.created_at) as retry_from,
           coalesce(v.occurred_at, v.created_at) as oldest_at,
           date_trunc('minute', case when greatest(f.due_at, f.held_until) = 'infinity' then now()
                                     else greatest(f.due_at, f.held_until) end) as not_before
    from feedback f join conversion v on v.id = f.conversion_id
    where f.id between ${from} and ${from + idsPerStatement - 1} and f.state = 'pending' and f.parcel_id is null
    for update of f
  ), numbered as (
    select *, (row_number() over (partition by connection_id, is_test, not_before order by id) - 1) / 200 as part
    from open
  ), packed as (
    select nextval('feedback_due_id_seq') as parcel_id, account_id, connection_id, is_test, not_before,
           array_agg(id order by id) as ids, min(retry_from) as retry_from, min(oldest_at) as oldest_at
    from numbered group by account_id, connection_id, is_test, not_before, part
  ), due as (
    insert into feedback_due (id, account_id, connection_id, is_test, feedback_ids, not_before, retry_from, oldest_at)
    select parcel_id, account_id, connection_id, is_test, ids, not_before, retry_from, oldest_at from packed
  )
  update feedback f set parcel_id = p.parcel_id
  from (select parcel_id, unnest(ids) as id from packed) p where f.id = p.id`;

const lastIdSchema = z.tuple([z.object({ last: z.coerce.number() })]);

/**
 * Parcels: the deliveries of one commit to one connection are claimed, sent and settled together. Runs beside apps of
 * the version before, whose columns (due_at, held_until, claims_unfinished) a later version drops. Run again after a
 * failure, it finishes what is missing.
 */
export class Migration20261122120000 extends Migration {
  // the backfill commits range by range, and an index is dropped concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['account', 'platform_connection', 'feedback', 'feedback_attempt'],
      change: parcels,
    });
    const [{ last }] = lastIdSchema.parse(await this.execute('select coalesce(max(id), 0) as last from feedback'));
    for (let from = 1; from <= last; from += idsPerStatement) await this.execute(backfill(from));
    // or closing a delivery would write an entry into every index of its table
    await withLockRetry(() => this.execute('drop index concurrently if exists feedback_connection_id_due_at_index'));
  }
}
