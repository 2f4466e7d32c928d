import { type Pool, statement } from '@leadback/db';
import { eventAgeMaxMs, eventTooOld, platformNames } from '@leadback/domain';
import { closedDeliveries, sentToWebhooks } from './webhook-deliveries.ts';

const parcelsMax = 20;

const ages = platformNames.map((name) => `('${name}', interval '${eventAgeMaxMs(name)} milliseconds')`).join(', ');

// Parcels are locked before deliveries, here as in every statement. A parcel keeps what is young enough.
const endTooOld = statement<{ parcels: number }>(
  `with parcel as (
     select d.id, d.delivery_ids, age.longest
     from (values ${ages}) age (platform, longest)
     join platform_connection c on c.platform = age.platform and c.state <> 'active' and c.deleted_at is null
     cross join lateral (
       select id, delivery_ids from delivery_due
       where connection_id = c.id and account_id = c.account_id and phase = 'waiting' and oldest_at < now() - age.longest
       order by not_before limit ${parcelsMax} for update skip locked) d
     limit ${parcelsMax}
   ), ended as (
     update delivery f set state = 'skipped', reason = '${eventTooOld}', match_keys = null, closed_at = now(), parcel_id = null
     from parcel
     where f.id = any(array(select unnest(delivery_ids) from parcel)) and f.parcel_id = parcel.id and f.state = 'pending'
       and coalesce(f.occurred_at, f.created_at) < now() - parcel.longest
     returning f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id, parcel.id as ended_parcel
   ), remaining as (
     select parcel.id, array(select one from unnest(parcel.delivery_ids) one where one <> all(array(select id from ended)) order by one) as delivery_ids
     from parcel
   ), gone as (
     delete from delivery_due where id = any(array(select id from remaining where delivery_ids = '{}'))
   ), kept as (
     update delivery_due d
     set delivery_ids = r.delivery_ids,
         oldest_at = (select min(coalesce(occurred_at, created_at)) from delivery where id = any(r.delivery_ids))
     from remaining r
     where d.id = any(array(select id from remaining where delivery_ids <> '{}')) and d.id = r.id
   ), ${sentToWebhooks('select account_id from ended', closedDeliveries('ended'))}
   select (select count(*)::int from parcel) as parcels`,
);

/**
 * Transition 13. Ends a part of what waits for connections that are paused or held and is too old for their platforms by now: nobody
 * can send it any more, and the money that still waits must not include it. Returns whether there may be more.
 */
export const endTooOldDeliveries = async (pool: Pool): Promise<boolean> => {
  const [ended] = await endTooOld(pool, []);
  return ended?.parcels === parcelsMax;
};
