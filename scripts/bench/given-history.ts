import type { BenchStack } from './bench-stack.ts';
import { fillQuickly } from './fill-quickly.ts';
import { fillTables } from './fill-tables.ts';
import { say } from './say.ts';

export const historyRows = 2_000_000;
export const historyDays = 365;

// Oldest first, over a year. Of the two platforms, Meta takes nearly all; Google has no click of nearly all, so that a
// page of delivered ones is rare. The newest deliveries are pending, and one of each half year, so that a search for pending
// ones must go far back.
const conversionsInTime = `update conversion set occurred_at = now() - ($1::int - id) * interval '1 day' * ${historyDays} / $1`;
const deliveries = `
  insert into feedback (account_id, conversion_id, connection_id, occurred_at, state, undelivered, reason, closed_at)
  select v.account_id, v.id, c.id, v.occurred_at, its.state, case when its.state in ('failed', 'skipped') then its.state end,
         case its.state when 'failed' then 'error_100' when 'skipped' then 'no_click_id' end,
         case when its.state <> 'pending' then now() end
  from conversion v cross join platform_connection c
  cross join lateral (
    select case when v.id > $1::int - 200 or v.id % ($1 / 2) = 7 then 'pending'
                when c.platform = 'google' and v.id % 5000 > 0 then 'skipped'
                when v.id % 100 = 1 then 'failed'
                when v.id % 100 = 2 then 'skipped'
                else 'delivered' end as state) its`;

// the sums of each day, in twenty campaigns
const metrics = `
  insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
  select p.account_id, current_date - day, p.id, 'campaign ' || campaign, its.measure, its.share * $1::int / ${historyDays} / 20
  from landing_page p
  cross join generate_series(0, ${historyDays} - 1) day cross join generate_series(1, 20) campaign
  cross join (values ('leads', 20), ('clients', 2), ('conversions', 1), ('amount.USD', 90),
    ('feedback.meta.delivered', 0.98), ('feedback.meta.failed', 0.01), ('feedback.meta.skipped', 0.01),
    ('feedback.google.skipped', 1)) its (measure, share)`;

const parcels = `
  with open as (
    select *, (row_number() over (partition by connection_id order by id) - 1) / 100 as part
    from feedback where state = 'pending'
  ), parcel as (
    insert into feedback_due (account_id, connection_id, feedback_ids, not_before, oldest_at)
    select account_id, connection_id, array_agg(id), now(), min(occurred_at) from open group by account_id, connection_id, part
    returning id, feedback_ids
  )
  update feedback f set parcel_id = parcel.id from parcel where f.id = any(parcel.feedback_ids)`;

/** Conversions of a year, each with a delivery per connection of the account. */
export const givenHistory = async (stack: BenchStack): Promise<void> => {
  await fillTables(stack, historyRows);
  say(`  inserting ${2 * historyRows} deliveries`);
  await fillQuickly(stack.pool, ['feedback'], async (on) => {
    await on.query(conversionsInTime, [historyRows]);
    await on.query(deliveries, [historyRows]);
    await on.query(metrics, [historyRows]);
    await on.query(parcels);
  });
};
