import { type Queryable, statement, transactionOn } from '@leadback/db';
import { skippedForOriginal } from './settle.ts';
import { packed } from './enqueue.ts';

const isRetriable = `(f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null)`;

// An adjustment that is registered, or retried by somebody else, comes before or after the whole of this: before, it is
// found as a follower; after, its claim finds the conversion pending. Locked in the order of their ids, as where
// adjustments are registered, so that two transactions cannot deadlock.
const lockConversions = (which: string) => `
  with sold as (
    select coalesce(f.conversion_id, a.conversion_id) as id
    from delivery f left join conversion_adjustment a on a.id = f.adjustment_id and a.account_id = f.account_id
    where ${which} and ${isRetriable}
  ), locked as (
    select id from conversion where id = any(array(select id from sold)) order by id for no key update
  )
  select count(*)::int from locked`;

// A second statement waits for the rows' locks and then finds them pending. The attempt records the time of the
// operator's request and the state of the row before it.
//
// The adjustments of a conversion follow it: those that were delivered are sent again after it, or the platform would
// keep the amount of the conversion, and so are those that were skipped because of the conversion. A worker that has
// claimed one, before it could see that the conversion is pending again, would not wait for it; then the conversion is
// left as it is. Those that wait leave in new parcels: a claim that began before has not seen that the conversion is
// pending, and finds their old parcel gone.
const requeue = (which: string, retriable = isRetriable) => `
  with named as (
    select f.id, f.account_id, f.connection_id, f.conversion_id
    from delivery f join platform_connection c on c.id = f.connection_id and c.account_id = f.account_id
    where ${which} and ${retriable} and c.state = 'active'
  ), follower as (
    select named.id as original_id, its.id, its.state, its.reason, its.parcel_id
    from named
    join conversion_adjustment a on a.conversion_id = named.conversion_id and a.account_id = named.account_id
    join delivery its
      on its.adjustment_id = a.id and its.connection_id = named.connection_id and its.account_id = named.account_id
  ), kept_waiting as (
    select * from delivery_due
    where id = any(array(select parcel_id from follower where parcel_id is not null)) and phase = 'waiting'
    order by id for update skip locked
  ), left_alone as (
    select original_id as id from follower
    where parcel_id is not null and parcel_id <> all(array(select id from kept_waiting))
  ), following as (
    select id from follower
    where original_id <> all(array(select id from left_alone))
      and (state = 'delivered' or state = 'skipped' and reason in ('${skippedForOriginal.join("', '")}'))
  ), closed as (
    select f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test,
           coalesce(f.occurred_at, f.created_at) as occurred_at
    from delivery f
    where f.id = any(array(select id from named where id <> all(array(select id from left_alone))
                           union select id from following))
      and (${retriable} or f.state = 'delivered' and f.id = any(array(select id from following)))
    order by f.id for update of f
  ), open as (
    select id, account_id, connection_id, is_test, now() as not_before, 1 as claim, 0 as claims_lost, now() as retry_from,
           occurred_at as oldest_at
    from closed
  ), ${packed}, attempt as (
    insert into delivery_attempt (account_id, delivery_id, outcome, reason, duration_ms)
    select account_id, id, 'requeued', concat_ws(': ', 'was ' || state, reason), 0 from closed
  ), moved as (
    select nextval('delivery_due_id_seq') as new_id, kept_waiting.* from kept_waiting
  ), gone as (
    delete from delivery_due where id = any(array(select id from moved))
  ), moved_parcel as (
    insert into delivery_due (id, account_id, connection_id, is_test, delivery_ids, not_before, claim, claims_lost,
                              retry_from, oldest_at)
    select new_id, account_id, connection_id, is_test, delivery_ids, not_before, claim, claims_lost, retry_from, oldest_at
    from moved
  ), moved_delivery as (
    update delivery f set parcel_id = its.new_id
    from (select new_id, id as parcel_id, unnest(delivery_ids) as id from moved) its
    where f.id = any(array(select unnest(delivery_ids) from moved)) and f.id = its.id and f.parcel_id = its.parcel_id
  )
  update delivery f set state = 'pending', parcel_id = placed.parcel_id, retried_since = now(), closed_at = null,
         reason = null, event_note = null, is_confirmed = null
  from placed where f.id = any(array(select id from placed)) and f.id = placed.id
  returning f.id`;

const requeueing = (which: string) => {
  const lock = statement(lockConversions(which));
  const change = statement<{ id: number }>(requeue(which));
  return (on: Queryable, values: readonly unknown[]): Promise<number[]> =>
    transactionOn(on, async (tx) => {
      await lock(tx, values);
      return (await change(tx, values)).map(({ id }) => id);
    });
};

const requeueNamed = requeueing('f.id = any($1::bigint[])');

/**
 * Transition 11. Makes deliveries pending and due now if they failed, were skipped, or have a note; retries are counted
 * from now on. The adjustments of a conversion follow it. Returns the ids of all of them. Those in another state, of an
 * inactive connection, or that do not exist are left unchanged.
 */
export const requeueDeliveries = (on: Queryable, ids: readonly number[]): Promise<number[]> => requeueNamed(on, [ids]);

const idsPerStatement = 5_000;

// a failover leaves a hundred million ids out
const readRange = statement<{ first: number; last: number }>(
  'select coalesce(min(id), 0) as first, coalesce(max(id), -1) as last from delivery where id >= $1',
);
const rangeFrom = async (on: Queryable, from: number) => (await readRange(on, [from]))[0] ?? { first: 0, last: -1 };

const requeueOfConnection = requeueing(
  `f.id between $1 and $2 and f.account_id = $3 and f.connection_id = $4
    and starts_with(coalesce(f.reason, ''), $5)`,
);

/**
 * Requeues everything failed and skipped of a connection, or only deliveries whose reason begins with the given text.
 * Returns how many. Works on one range of ids at a time, so that locks are short.
 */
export const requeueDeliveriesOfConnection = async (
  on: Queryable,
  {
    id,
    accountId,
    reason = '',
  }: { readonly id: number; readonly accountId: number; readonly reason?: string | undefined },
): Promise<number> => {
  const { first, last } = await rangeFrom(on, 0);
  let requeued = 0;
  for (let from = first; from <= last; ) {
    const end = from + idsPerStatement;
    requeued += (await requeueOfConnection(on, [from, end - 1, accountId, id, reason])).length;
    from = end > last ? end : (await rangeFrom(on, end)).first;
  }
  return requeued;
};

const requeueOfWebhook = statement<{ id: number }>(
  requeue(
    'f.id = $1 and f.connection_id = $2 and f.account_id = $3 and f.webhook_event_id is not null',
    `f.state <> 'pending'`,
  ),
);

/** The same for a delivery of a webhook, also if it was accepted: receivers ask for it again. False: it was pending. */
export const requeueWebhookDelivery = async (
  on: Queryable,
  { id, connectionId, accountId }: { readonly id: number; readonly connectionId: number; readonly accountId: number },
): Promise<boolean> => (await requeueOfWebhook(on, [id, connectionId, accountId])).length > 0;
