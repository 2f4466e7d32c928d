import { type Queryable, statement } from '@leadback/db';
import { closedDeliveries, sentToWebhooks } from './webhook-deliveries.ts';

interface Ending {
  /** SQL: what follows `from`, with the connections as c. */
  readonly connections: string;
  /** Why the deliveries are skipped. */
  readonly reason: string;
  /** SQL: an interval over `connections`. Only what waits and is older ends, and a parcel keeps the rest. Default: all ends. */
  readonly olderThan?: string;
}

const parcelsMax = 20;
const timeOf = (delivery: string) => `coalesce(${delivery}.occurred_at, ${delivery}.created_at)`;

/**
 * Transition 13: a function that ends a part of what waits for some connections. It returns how many parcels it found, and whether there
 * may be more.
 *
 * Parcels are locked before deliveries, here as in every statement. A worker that has claimed one finds it gone, and saves nothing of
 * it, except that the platform accepted an event: then its delivery is delivered.
 */
export const endWaiting = ({ connections, reason, olderThan }: Ending) => {
  const isOfAge = olderThan !== undefined;
  const kept = `kept as materialized (
     select parcel.id, young.delivery_ids, young.oldest_at
     from parcel
     cross join lateral (
       select array_agg(f.id order by f.id) as delivery_ids, min(${timeOf('f')}) as oldest_at
       from delivery f
       where f.id = any(parcel.delivery_ids) and f.parcel_id = parcel.id and f.state = 'pending'
         and ${timeOf('f')} >= now() - parcel.older_than
       having count(*) > 0) young
   ), shortened as (
     update delivery_due d set delivery_ids = kept.delivery_ids, oldest_at = kept.oldest_at
     from kept where d.id = any(array(select id from kept)) and d.id = kept.id
   ),`;
  const end = statement<{ parcels: number }>(
    `with parcel as materialized (
     select d.id, d.delivery_ids, ${isOfAge ? olderThan : 'null::interval'} as older_than
     from ${connections}
     cross join lateral (
       select id, delivery_ids from delivery_due
       where connection_id = c.id and account_id = c.account_id${isOfAge ? ` and phase = 'waiting' and oldest_at < now() - ${olderThan}` : ''}
       order by not_before limit ${parcelsMax} for update skip locked) d
     limit ${parcelsMax}
   ), ${isOfAge ? kept : ''} gone as (
     delete from delivery_due
     where id = any(array(select id from parcel))${isOfAge ? ' and id <> all(array(select id from kept))' : ''}
   ), ended as (
     update delivery f set state = 'skipped', reason = '${reason}', match_keys = null, closed_at = now(), parcel_id = null
     from parcel
     where f.id = any(array(select unnest(delivery_ids) from parcel)) and f.parcel_id = parcel.id and f.state = 'pending'
       ${isOfAge ? `and ${timeOf('f')} < now() - parcel.older_than` : ''}
     returning f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id
   ), ${sentToWebhooks('select account_id from ended', closedDeliveries('ended'))}
   select count(*)::int as parcels from parcel`,
  );
  return async (on: Queryable): Promise<{ readonly parcels: number; readonly hasMore: boolean }> => {
    const [{ parcels } = { parcels: 0 }] = await end(on, []);
    return { parcels, hasMore: parcels === parcelsMax };
  };
};
