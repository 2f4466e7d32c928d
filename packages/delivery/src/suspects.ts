import type { DestinationName } from '@leadback/domain';
import { type Contacts, type Pool, preparedStatement } from '@leadback/db';
import { claimedParcels } from './attributed.ts';
import { claimOfWanted, isActive } from './claim.ts';
import type { ClaimedParcel, ClaimedRow } from './claimed.ts';
import { claimLease, leasesLostMax, leasesLostTogetherMax } from './limits.ts';
import { closedDeliveries, toldToWebhooks } from './tell-webhooks.ts';

// at the last claim of all its deliveries together a lease was lost, which is not counted yet
const leasesLostTogether = leasesLostTogetherMax + 1;

const isSuspect = `d.claims_lost >= ${leasesLostTogetherMax} and d.not_before <= now()`;

const splitSuspects = preparedStatement<{ deliveries: number }>(
  'split-suspect-parcels',
  `with suspect as materialized (
     select d.id from feedback_due d where ${isSuspect} and cardinality(d.feedback_ids) > 1
     order by d.not_before limit 10 for update of d skip locked
   ), gone as (
     delete from feedback_due where id = any(array(select id from suspect)) returning *
   ), alone as materialized (
     select gone.*, u.id as feedback_id, nextval('feedback_due_id_seq') as parcel_id
     from gone cross join lateral unnest(gone.feedback_ids) u (id)
   ), due as (
     insert into feedback_due (id, account_id, connection_id, is_test, feedback_ids, claim, claims_lost, retry_from,
                               oldest_at)
     select parcel_id, account_id, connection_id, is_test, array[feedback_id], claim, ${leasesLostTogether}, retry_from,
            oldest_at
     from alone
   ), moved as (
     update feedback f set parcel_id = alone.parcel_id from alone
     where f.id = any(array(select feedback_id from alone)) and f.id = alone.feedback_id and f.parcel_id = alone.id
       and f.state = 'pending'
   )
   select count(*) as deliveries from alone`,
);

/** Transition 9. Puts each delivery of a parcel that crashed workers into a parcel of its own. Returns how many deliveries. */
export const splitSuspectParcels = async (pool: Pool): Promise<number> => {
  const [row] = await splitSuspects(pool, []);
  return row?.deliveries ?? 0;
};

export interface CrashedDelivery {
  readonly feedbackId: number;
  readonly platform: DestinationName;
}

const failCrashed = preparedStatement<{ feedback_id: number; platform: DestinationName }>(
  'fail-crashed-deliveries',
  `with crashed as materialized (
     select d.id from feedback_due d
     where ${isSuspect} and d.phase = 'claimed' and d.claims_lost + 1 >= ${leasesLostMax}
       and cardinality(d.feedback_ids) <= 1
     limit 100 for update of d skip locked
   ), gone as (
     delete from feedback_due where id = any(array(select id from crashed)) returning *
   ), failed as (
     update feedback f set state = 'failed', reason = 'crashed', closed_at = now(), parcel_id = null
     from gone
     where f.id = any(array(select feedback_ids[1] from gone)) and f.id = gone.feedback_ids[1]
       and f.parcel_id = gone.id and f.state = 'pending'
     returning f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id
   ), ${toldToWebhooks('select account_id from failed', closedDeliveries('failed'))}
   select failed.id as feedback_id, c.platform
   from failed cross join lateral (select platform from platform_connection where id = failed.connection_id limit 1) c`,
);

/** Transition 10. Fails the deliveries during which five workers crashed. */
export const failCrashedDeliveries = async (pool: Pool): Promise<CrashedDelivery[]> =>
  (await failCrashed(pool, [])).map(({ feedback_id: feedbackId, platform }) => ({ feedbackId, platform }));

const claimSuspect = preparedStatement<ClaimedRow>(
  'claim-suspect-parcel',
  claimOfWanted(`
     select free.id
     from (select d.id from feedback_due d where ${isSuspect} and cardinality(d.feedback_ids) <= 1
           order by d.not_before offset 0) suspect
     cross join lateral (
       select d.id from feedback_due d where d.id = suspect.id and ${isSuspect} and ${isActive}
       limit 1 for update of d skip locked
     ) free
     limit 1`),
);

/** Claims the delivery of one parcel that crashed workers. It must be sent alone, before the next is claimed. */
export const claimSuspectParcel = async (pool: Pool, contacts: Contacts): Promise<ClaimedParcel | undefined> =>
  claimedParcels(await claimSuspect(pool, [claimLease]), contacts)[0];
