import { type Contacts, failureScopeOf, type Pool, preparedStatement } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import { claimedParcels } from './attributed.ts';
import type { ClaimedParcel, ClaimedRow } from './claimed.ts';
import { claimedRowsOf } from './claimed-rows.ts';
import { claimLease, leasesLostTogetherMax } from './limits.ts';

/**
 * Transitions 2 and 3, after an expression named `wanted` (id) that has locked due parcels of active connections. A
 * claimed parcel whose lease is over was lost by a worker that crashed. Every table is read by key, one row at a time:
 * the plan is the same at every size. `account_id + 0` keeps indexes by account out of it, which would read all rows of
 * the account.
 */
export const claimOfWanted = (wanted: string): string => `with wanted as materialized (${wanted}), claimed as (
     update feedback_due d set
       claims_lost = d.claims_lost + case d.phase when 'claimed' then 1 else 0 end,
       phase = 'claimed', claim = d.claim + 1, not_before = now() + $1::interval
     where d.id = any(array(select id from wanted))
     returning d.*
   )
   ${claimedRowsOf(
     'claimed',
     `from unnest(p.feedback_ids) open (id)
     cross join lateral (
       select * from feedback
       where id = open.id and account_id + 0 = p.account_id and parcel_id = p.id and state = 'pending' limit 1) f`,
   )}`;

/** SQL: whether the connection of the parcel d is active, and the URL of a webhook verified. No join, which could begin with the connections. */
export const isActive = `(
         select c.state = 'active' and c.verify_at is null from platform_connection c
         where c.id = d.connection_id and c.account_id + 0 = d.account_id limit 1)`;

/**
 * SQL: whether the parcel d, which is looked up by its id, is due. No condition for the index of times: right after most
 * parcels were claimed, PostgreSQL expects few that are due, and would read all deleted rows that a long snapshot keeps.
 */
const isDue = `d.not_before + interval '0' <= now()`;

const claimByIds = preparedStatement<ClaimedRow>(
  'claim-parcels',
  claimOfWanted(`
     select d.id from unnest($2::bigint[]) named (id)
     cross join lateral (
       select id from feedback_due d
       where d.id = named.id and ${isDue} and d.claims_lost < ${leasesLostTogetherMax} and ${isActive}
       for update of d skip locked
     ) d`),
);

/**
 * Returns a function that claims one parcel, named by a hint. Null: it is settled, not due, held, or claimed by
 * another worker.
 */
export const parcelClaimer = (pool: Pool, contacts: Contacts): ((parcelId: number) => Promise<ClaimedParcel | null>) =>
  batch(
    async (parcelIds: readonly number[]) => {
      const claimed = new Map(
        claimedParcels(await claimByIds(pool, [claimLease, parcelIds]), contacts).map((parcel) => [parcel.id, parcel]),
      );
      return parcelIds.map((id) => {
        const parcel = claimed.get(id);
        claimed.delete(id); // a second hint in the same batch finds nothing, as it would later
        return parcel ?? null;
      });
    },
    // a statement costs as much as some twenty deliveries, so that parcels wait for the one in progress, though not long
    { itemsMax: 50, runsMax: 2, besideMs: 20, failureScope: failureScopeOf },
  );

// The oldest parcels first, as many as hold the wanted number of deliveries; the last one may hold some more.
const claimOfConnections = preparedStatement<ClaimedRow>(
  'claim-parcels-of-connections',
  claimOfWanted(`
     select d.id
     from unnest($2::bigint[], $3::int[], $4::timestamptz[]) wanted (connection_id, deliveries, due_since)
     cross join lateral (
       select oldest.id
       from (
         select d.id, sum(cardinality(d.feedback_ids)) over (order by d.not_before, d.id) - cardinality(d.feedback_ids)
                as before
         from (
           select id, not_before, feedback_ids from feedback_due d
           where d.connection_id = wanted.connection_id and d.not_before >= wanted.due_since and d.not_before <= now()
             and d.claims_lost < ${leasesLostTogetherMax} and ${isActive}
           order by d.not_before limit wanted.deliveries
         ) d
       ) oldest where oldest.before < wanted.deliveries
     ) oldest
     cross join lateral (
       select id from feedback_due d
       where d.id = oldest.id and ${isDue}
       for update of d skip locked
     ) d`),
);

export interface WantedOfConnection {
  readonly connectionId: number;
  /** The number of deliveries. */
  readonly deliveries: number;
  /** No parcel of the connection is due since before. Saves reading deleted rows that a long snapshot keeps. */
  readonly dueSince: Date | '-infinity';
}

/** Claims due parcels of connections, for at most so many deliveries and one parcel more of each. */
export const claimParcelsOfConnections = async (
  pool: Pool,
  wanted: readonly WantedOfConnection[],
  contacts: Contacts,
): Promise<ClaimedParcel[]> =>
  claimedParcels(
    await claimOfConnections(pool, [
      claimLease,
      wanted.map(({ connectionId }) => connectionId),
      wanted.map(({ deliveries }) => deliveries),
      wanted.map(({ dueSince }) => dueSince),
    ]),
    contacts,
  );
