import { preparedStatement, type Queryable } from '@leadback/db';

const parcelsMax = 50;

// Parcels are locked before deliveries, here as in every statement.
const drop = preparedStatement<{ parcels: number }>(
  'drop-waiting-deliveries',
  `with parcel as materialized (
     select id from feedback_due
     where connection_id = $1 and account_id + 0 = $2 and not_before >= '-infinity' and not_before <= 'infinity'
     order by not_before limit ${parcelsMax} for update
   ), gone as (
     delete from feedback_due where id = any(array(select id from parcel)) returning feedback_ids
   ), dropped as (
     delete from feedback
     where id = any(array(select unnest(feedback_ids) from gone)) and account_id + 0 = $2 and connection_id + 0 = $1
       and state = 'pending'
   )
   select count(*)::int as parcels from gone`,
);

/**
 * Deletes some of the deliveries that wait for a paused connection, as if they had never been enqueued. Returns whether
 * there may be more. What a worker is sending now may still arrive; its outcome is not saved.
 */
export const dropWaitingDeliveries = async (
  on: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<boolean> => {
  const [dropped] = await drop(on, [id, accountId]);
  return dropped?.parcels === parcelsMax;
};
