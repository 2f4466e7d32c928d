import { Delivery, DeliveryDue, type PlatformConnection } from '@leadback/db';
import { claimParcelsOfConnections } from '@leadback/core/delivery/claim';
import { givenContacts, givenClient, type TestDatabase } from '@leadback/testing';

type Pool = TestDatabase['pool'];

/** An adjustment retracts a conversion that has no delivery of its own. A client is one that was registered: a lead. */
export type Subject = 'conversion' | 'adjustment' | 'client';

interface ParcelOptions {
  readonly connection: PlatformConnection;
  /** The number of its deliveries. */
  readonly size?: number;
  /** What they report. Default: a conversion each. */
  readonly subject?: Subject;
  /** How many leases it has lost. Then, or if `isClaimed`, it is claimed, and its lease is over. */
  readonly leasesLost?: number;
  readonly isClaimed?: boolean;
  /** Seconds from now; default: it is due. */
  readonly dueInSeconds?: number;
}

export interface TestParcel {
  readonly id: number;
  readonly deliveryIds: readonly number[];
}

/** A parcel of new deliveries. */
export const givenParcel = async (
  database: Pick<TestDatabase, 'em' | 'pool'>,
  {
    connection,
    size = 1,
    subject = 'conversion',
    leasesLost = 0,
    isClaimed = leasesLost > 0,
    dueInSeconds = -60,
  }: ParcelOptions,
): Promise<TestParcel> => {
  const account = await connection.account.loadOrFail();
  const client = await givenClient(database.em(), { account, email: 'ana@x.example' });
  const { rows } = await database.pool.query<{ id: string; delivery_ids: string[] }>(
    `with conversion as (
       insert into conversion (account_id, client_id, lead_id, amount, currency, event_id, landing_page_id, campaign)
       select $1, id, lead_id, 10, 'USD', gen_random_uuid(), landing_page_id, campaign
       from client, generate_series(1, $3::int) where id = $2 returning id, landing_page_id, campaign
     ), adjustment as (
       insert into conversion_adjustment (account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at)
       select $1, id, false, 'retract', 0, 10, now() from conversion where $8 = 'adjustment' returning id
     ), registered as (
       insert into client (account_id, lead_id, landing_page_id, campaign)
       select $1, $9, landing_page_id, campaign from client, generate_series(1, $3::int)
       where $8 = 'client' and id = $2 returning id
     ), parcel as materialized (
       select nextval('delivery_due_id_seq') as id
     ), delivery as (
       insert into delivery (account_id, conversion_id, adjustment_id, client_id, connection_id, parcel_id, occurred_at,
                             landing_page_id, campaign)
       select $1, subject.conversion_id, subject.adjustment_id, subject.client_id, $4, parcel.id, now(),
              subject.landing_page_id, subject.campaign
       from (select id as conversion_id, null::bigint as adjustment_id, null::bigint as client_id, landing_page_id, campaign
             from conversion where $8 = 'conversion'
             union all select null, id, null, null, null from adjustment
             union all select null, null, id, null, null from registered) subject, parcel
       returning id
     )
     insert into delivery_due (id, account_id, connection_id, delivery_ids, phase, claim, claims_lost, not_before)
     select parcel.id, $1, $4, array(select id from delivery order by id), case when $5 then 'claimed' else 'waiting' end,
            $6::int + $5::int, $6, now() + $7 * interval '1 second'
     from parcel returning id, delivery_ids`,
    [account.id, client.id, size, connection.id, isClaimed, leasesLost, dueInSeconds, subject, client.lead.id],
  );
  const [row] = rows;
  if (!row) throw new Error('no parcel was inserted');
  return { id: Number(row.id), deliveryIds: row.delivery_ids.map(Number) };
};

/** Claims what is due of a connection, up to 10,000 deliveries. Returns their ids, in order. */
export const claimDue = async (pool: Pool, connectionId: number): Promise<number[]> => {
  const wanted = { connectionId, deliveries: 10_000, dueSince: '-infinity' } as const;
  const parcels = await claimParcelsOfConnections(pool, [wanted], givenContacts());
  const ids = parcels.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));
  return ids.toSorted((one, other) => one - other);
};

/** The parcel of an open delivery. Throws if it is in none. */
export const parcelOf = async (database: Pick<TestDatabase, 'em'>, deliveryId: number): Promise<DeliveryDue> => {
  const { parcelId } = await database.em().findOneOrFail(Delivery, deliveryId);
  return database.em().findOneOrFail(DeliveryDue, { id: parcelId ?? 0 });
};

/** Ends the lease or the pause of a parcel. */
export const comesDue = async (pool: Pool, parcelId: number): Promise<void> => {
  await pool.query(`update delivery_due set not_before = now() - interval '1 minute' where id = $1`, [parcelId]);
};

const violations = `
  with placed as (
    select d.id as parcel_id, d.connection_id, d.account_id, u.id from delivery_due d cross join unnest(d.delivery_ids) u (id)
  )
  select 'pending delivery ' || f.id || ' is in ' || count(p.id) || ' parcels, not only in its own' as violation
  from delivery f left join placed p using (id)
  where f.state = 'pending' group by f.id, f.parcel_id
  having count(*) <> 1 or bool_or(p.parcel_id is distinct from f.parcel_id)
  union all
  select 'closed delivery ' || id || ' names parcel ' || parcel_id from delivery
  where state <> 'pending' and parcel_id is not null
  union all
  select 'parcel ' || p.parcel_id || ' holds delivery ' || p.id || ', which is ' || coalesce(f.state, 'deleted')
  from placed p left join delivery f using (id) where f.state is distinct from 'pending'
  union all
  select 'parcel ' || p.parcel_id || ' holds delivery ' || p.id || ' of another connection'
  from placed p join delivery f using (id) where f.connection_id <> p.connection_id or f.account_id <> p.account_id
  union all
  select 'parcel ' || id || ' holds ' || cardinality(delivery_ids) || ' deliveries' from delivery_due
  where cardinality(delivery_ids) > 200
  union all
  select 'parcels hold ' || held || ' deliveries, but ' || pending || ' are pending'
  from (select coalesce(sum(cardinality(delivery_ids)), 0) as held from delivery_due) parcels,
       (select count(*) as pending from delivery where state = 'pending') deliveries
  where held <> pending`;

/** Breaches of the invariants in packages/core/src/delivery/states.md; empty if there are none. */
export const parcelViolations = async (pool: Pool): Promise<string[]> => {
  // named: planned once, which takes longer than the query itself
  const { rows } = await pool.query<{ violation: string }>({ name: 'parcel violations', text: violations });
  return rows.map(({ violation }) => violation);
};
