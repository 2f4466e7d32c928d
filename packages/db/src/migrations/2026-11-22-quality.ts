import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// What platforms say is free text after a code: only codes are counted.
const counting = `
  alter table feedback add column if not exists match_keys int;

  drop trigger if exists quality_noted on feedback;
  drop table if exists quality_day, quality_change;
  create table quality_day (
    account_id bigint not null constraint quality_day_account_id_foreign references account,
    day date not null,
    platform text not null,
    state text not null,
    reason text not null,
    match_keys int not null,
    deliveries bigint not null,
    primary key (account_id, day, platform, state, reason, match_keys)
  ) with (fillfactor = 80);
  create table quality_change (
    id bigserial primary key,
    account_id bigint not null,
    day date not null,
    platform text not null,
    state text not null,
    reason text not null,
    match_keys int not null,
    change bigint not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
  create index quality_change_account_id_day_index on quality_change (account_id, day);

  create or replace function reason_code(state text, reason text) returns text language sql immutable parallel safe as $$
    select case when state = 'delivered' then ''
                else coalesce(substring(reason from '^((?:HTTP )?[A-Za-z0-9_./]{1,40})(?:$|:)'), 'other') end
  $$;

  create or replace function note_quality() returns trigger language plpgsql as $$
  begin
    insert into quality_change (account_id, day, platform, state, reason, match_keys, change)
    select c.account_id, c.day, p.platform, c.state, c.reason, c.match_keys, c.change
    from (
      select account_id, connection_id, day_of(occurred_at) as day, state, reason_code(state, reason) as reason,
             coalesce(match_keys, -1) as match_keys, sum(change) as change
      from (
        select account_id, connection_id, occurred_at, state, reason, match_keys, -1 as change from before_change
        where state <> 'pending' and not is_test and conversion_id is not null
        union all
        select account_id, connection_id, occurred_at, state, reason, match_keys, 1 from after_change
        where state <> 'pending' and not is_test and conversion_id is not null
      ) both_times
      group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0
    ) c
    cross join lateral (select platform from platform_connection where id = c.connection_id limit 1) p;
    return null;
  end $$;
  create trigger quality_noted after update on feedback
    referencing old table as before_change new table as after_change
    for each statement execute function note_quality();
`;

// One statement, and so one moment: changes noted until then are part of what it counts.
const countOfAll = `
  truncate quality_day;
  with noted_meanwhile as (
    delete from quality_change
  )
  insert into quality_day (account_id, day, platform, state, reason, match_keys, deliveries)
  select f.account_id, day_of(f.occurred_at), p.platform, f.state, reason_code(f.state, f.reason),
         coalesce(f.match_keys, -1), count(*)
  from feedback f join platform_connection p on p.id = f.connection_id
  where f.state <> 'pending' and not f.is_test and f.conversion_id is not null
  group by 1, 2, 3, 4, 5, 6
`;

/**
 * The delivery outcomes of each platform, and by which keys it could match the conversions: counted by the day of the
 * conversion when a delivery is closed, so that the count outlives the delivery. The api rolls the changes up. Run
 * again after a failure, it counts again.
 */
export class Migration20261122160500 extends Migration {
  // or the trigger's lock would be held until everything is counted
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['account', 'feedback'], change: counting });
    await this.execute(countOfAll);
  }
}
