import type { EntityManager } from '@leadback/db';
import { z } from 'zod';
import { originalNotDelivered } from './earlier-deliveries.ts';
import { packed } from './pack.ts';

const idsSchema = z.array(z.object({ id: z.coerce.number() }));

// A second statement waits for the rows' locks and then finds them pending. The attempt records the time of the
// operator's request and the state of the row before it.
//
// The adjustments of a conversion follow it: those that were delivered are sent again after it, or the platform would
// keep the amount of the conversion, and so are those that were skipped because the conversion was not delivered. A
// worker that has claimed one, before it could see that the conversion is pending again, would not wait for it; then the
// conversion is left as it is. The parcels of the others stay locked, so that none is claimed meanwhile.
const requeue = (which: string) => `
  with named as materialized (
    select f.id, f.account_id, f.connection_id, f.conversion_id
    from feedback f join platform_connection c on c.id = f.connection_id and c.account_id = f.account_id
    where ${which} and (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and c.state = 'active'
  ), follower as materialized (
    select named.id as original_id, its.id, its.state, its.reason, its.parcel_id
    from named
    cross join lateral (
      select id from conversion_adjustment
      where conversion_id = named.conversion_id and account_id + 0 = named.account_id offset 0) a
    cross join lateral (
      select id, state, reason, parcel_id from feedback
      where adjustment_id = a.id and connection_id = named.connection_id and account_id + 0 = named.account_id
      limit 1) its
  ), kept_waiting as materialized (
    select id from feedback_due
    where id = any(array(select parcel_id from follower where parcel_id is not null)) and phase = 'waiting'
    order by id for update skip locked
  ), left_alone as materialized (
    select original_id as id from follower
    where parcel_id is not null and parcel_id <> all(array(select id from kept_waiting))
  ), following as materialized (
    select id from follower
    where original_id <> all(array(select id from left_alone))
      and (state = 'delivered' or state = 'skipped' and reason = '${originalNotDelivered}')
  ), closed as materialized (
    select f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test,
           coalesce(f.occurred_at, f.created_at) as occurred_at
    from feedback f
    where f.id = any(array(select id from named where id <> all(array(select id from left_alone))
                           union select id from following))
      and (f.state in ('failed', 'skipped')
           or f.state = 'delivered' and (f.note is not null or f.id = any(array(select id from following))))
    order by f.id for update of f
  ), open as (
    select id, account_id, connection_id, is_test, now() as not_before, 1 as claim, 0 as claims_lost, now() as retry_from,
           occurred_at as oldest_at
    from closed
  ), ${packed}, attempt as (
    insert into feedback_attempt (account_id, feedback_id, outcome, reason, duration_ms)
    select account_id, id, 'requeued', concat_ws(': ', 'was ' || state, reason), 0 from closed
  )
  update feedback f set state = 'pending', parcel_id = placed.parcel_id, retried_since = now(), closed_at = null,
         reason = null
  from placed where f.id = any(array(select id from placed)) and f.id = placed.id
  returning f.id`;

/**
 * Transition 11. Makes deliveries pending and due now if they failed, were skipped, or have a note; retries are counted
 * from now on. The adjustments of a conversion follow it. Returns the ids of all of them. Those in another state, of an
 * inactive connection, or that do not exist are left unchanged.
 */
export const requeueFeedback = async (em: EntityManager, ids: readonly number[]): Promise<number[]> => {
  const rows = await em.execute(requeue('f.id = any(?::bigint[])'), [`{${ids.join(',')}}`]);
  return idsSchema.parse(rows).map(({ id }) => id);
};

const idsPerStatement = 5_000;
const rangeSchema = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

/**
 * Requeues everything failed and skipped of a connection, or only deliveries whose reason begins with the given text.
 * Returns how many. Works on one range of ids at a time, so that locks are short.
 */
export const requeueFeedbackOfConnection = async (
  em: EntityManager,
  {
    id,
    accountId,
    reason = '',
  }: { readonly id: number; readonly accountId: number; readonly reason?: string | undefined },
): Promise<number> => {
  const [{ first, last }] = rangeSchema.parse(
    await em.execute(`select coalesce(min(id), 0) as first, coalesce(max(id), -1) as last from feedback`),
  );
  const statement = requeue(`f.id between ? and ? and f.account_id = ? and f.connection_id = ?
    and starts_with(coalesce(f.reason, ''), ?)`);
  let requeued = 0;
  for (let from = first; from <= last; from += idsPerStatement) {
    const rows = await em.execute(statement, [from, from + idsPerStatement - 1, accountId, id, reason]);
    requeued += rows.length;
  }
  return requeued;
};
