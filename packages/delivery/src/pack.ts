import { parcelSizeMax } from './limits.ts';

/**
 * Expressions for a `with` that put open deliveries into new parcels, after one named `open` (id, account_id,
 * connection_id, is_test, not_before, claim, claims_lost, retry_from, oldest_at). `placed` (id, parcel_id) says where
 * each delivery is now: the statement must write it to `feedback.parcel_id`.
 */
export const packed = `numbered as (
     select *, (row_number() over (partition by connection_id, is_test, not_before, claims_lost order by id) - 1)
               / ${parcelSizeMax} as part
     from open
   ), packed as (
     select nextval('feedback_due_id_seq') as parcel_id, account_id, connection_id, is_test, not_before, claims_lost,
            array_agg(id order by id) as ids, max(claim) as claim, min(retry_from) as retry_from,
            min(oldest_at) as oldest_at
     from numbered group by account_id, connection_id, is_test, not_before, claims_lost, part
   ), due as (
     insert into feedback_due (id, account_id, connection_id, is_test, feedback_ids, not_before, claim, claims_lost,
                               retry_from, oldest_at)
     select parcel_id, account_id, connection_id, is_test, ids, not_before, claim, claims_lost, retry_from, oldest_at
     from packed
   ), placed as (
     select parcel_id, unnest(ids) as id from packed
   )`;
