import { msOf } from './milliseconds.ts';

/** SQL: the adjustment of a delivery f; no row if the delivery has another subject. */
export const adjustmentOf = `(
       select * from conversion_adjustment where id = f.adjustment_id and account_id + 0 = f.account_id limit 1)`;

// a delivery of another adjustment of the same conversion to the same connection
const existsOther = (which: string, state: string) => `exists (
         select from (select id, account_id from conversion_adjustment
                      where conversion_id = a.conversion_id and id ${which} a.id offset 0) other
         cross join lateral (
           select from feedback
           where adjustment_id = other.id and connection_id = f.connection_id and account_id + 0 = other.account_id
             and state = '${state}' limit 1) its)`;

// Conditions that are those of a partial index stand outside of the lookups: else PostgreSQL may read that index instead.
/**
 * SQL: what was told to the connection of a delivery f before its adjustment a, of the conversion v. No row, and nearly
 * no time, if the delivery has another subject.
 */
export const earlierOf = `(
       select
         (select state from feedback
          where conversion_id = a.conversion_id and connection_id = f.connection_id and account_id + 0 = f.account_id
          limit 1) as original_state,
         exists (
           select from feedback o
           cross join lateral (
             select platform_request from feedback_attempt
             where feedback_id = o.id and account_id + 0 = o.account_id offset 0) sent
           cross join lateral (
             select look_at from platform_request
             where connection_id = o.connection_id and name = sent.platform_request and account_id + 0 = o.account_id
             limit 1) request
           where request.look_at is not null and o.conversion_id = a.conversion_id and o.connection_id = f.connection_id
             and o.account_id + 0 = f.account_id
         ) as is_original_unconfirmed,
         ${existsOther('<', 'pending')} as is_adjustment_open,
         ${existsOther('>', 'delivered')} as is_superseded,
         greatest(0, least(v.amount, (
           select min(amount) from conversion_adjustment
           where conversion_id = a.conversion_id and id < a.id and account_id + 0 = a.account_id)) - a.amount) as taken_back
       where a.id is not null)`;

/** SQL: the columns of a `ClaimedRow` about an adjustment. */
export const adjustmentColumns = `a.id as adjustment_id, a.kind as adjustment_kind, a.amount as adjusted_amount,
            ${msOf('a.occurred_at')} as adjusted_ms, earlier.*`;
