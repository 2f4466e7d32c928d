import { parcelSizeMax } from './limits.ts';

/**
 * Expressions for a `with` that put open deliveries into new parcels, after one named `open` (id, account_id,
 * connection_id, is_test, not_before, claim, claims_lost, retry_from, oldest_at, and others). `placed` is `open` with
 * the parcel_id of each delivery: the statement must write it to `feedback.parcel_id`. It is no list to be joined with
 * `open`, because a planner that expects few rows would compare each row of the one with each of the other.
 *
 * `prefix`: of the names of all these expressions, for a statement that packs twice.
 */
export const packedAs = (prefix: string): string => `${prefix}numbered as materialized (
     select numbered.*, case when place % ${parcelSizeMax} = 0 then nextval('feedback_due_id_seq') end as begun_id
     from (
       select *, row_number() over (partition by connection_id, is_test, not_before, claims_lost order by id) - 1 as place
       from ${prefix}open
     ) numbered
   ), ${prefix}placed as materialized (
     select *, max(begun_id) over (partition by connection_id, is_test, not_before, claims_lost order by id) as parcel_id
     from ${prefix}numbered
   ), ${prefix}due as (
     insert into feedback_due (id, account_id, connection_id, is_test, feedback_ids, not_before, claim, claims_lost,
                               retry_from, oldest_at)
     select parcel_id, account_id, connection_id, is_test, array_agg(id order by id), not_before, max(claim), claims_lost,
            min(retry_from), min(oldest_at)
     from ${prefix}placed group by parcel_id, account_id, connection_id, is_test, not_before, claims_lost
   )`;

/** With the names as they are. */
export const packed: string = packedAs('');
