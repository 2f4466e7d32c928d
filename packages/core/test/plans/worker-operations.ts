import type { PlatformConnection } from '@leadback/db';
import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  type ClaimedParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { closePlatformRequest, takeDuePlatformRequests } from '@leadback/core/delivery/request-status';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import { dueFinder } from '@leadback/core/delivery/due';
import { parcelSettler, type SettledDeliveries } from '@leadback/core/delivery/settle';
import { resumeConnection } from '@leadback/core/delivery/connections';
import { givenContacts, givenPlatformRequest, type TestDatabase, unique } from '@leadback/testing';
import { givenParcel, type TestParcel } from '../parcels.ts';
import type { ExplainedDatabase, Operation } from '../plans.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const delivered = { state: 'delivered', reason: null, retryInMs: null, isCounted: true } as const;
const outcomes = (): readonly Omit<SettledDeliveries, 'deliveryIds'>[] => [
  {
    ...delivered,
    attempt: { ...attempt, request: { name: unique('request'), lookInMs: 86_400_000 } },
  },
  { state: 'failed', reason: 'x', retryInMs: null, isCounted: true, attempt: { ...attempt, outcome: 'rejected' } },
  {
    state: 'pending',
    reason: 'x',
    retryInMs: 60_000,
    isCounted: true,
    attempt: { ...attempt, outcome: 'unavailable' },
  },
  { state: 'pending', reason: 'x', retryInMs: 0, isCounted: true, attempt: { ...attempt, outcome: 'refused' } },
];

const used = {
  state: 'delivered',
  reason: null,
  pauseMs: null,
  isOfAll: true,
  refusal: null,
  note: null,
  isConfirmed: true,
} as const;

// a quarter of the deliveries of a parcel each
const settlementOf = (parcel: ClaimedParcel) => {
  const ids = parcel.deliveries.map(({ deliveryId }) => deliveryId);
  const quarter = Math.ceil(ids.length / 4);
  return {
    parcel,
    deliveries: outcomes().map((outcome, index) => ({
      ...outcome,
      deliveryIds: ids.slice(index * quarter, (index + 1) * quarter),
    })),
  };
};

const claimAll = async (on: ExplainedDatabase, parcels: readonly TestParcel[]) => {
  const claim = parcelClaimer(on.pool, givenContacts());
  return (await Promise.all(parcels.map(({ id }) => claim(id)))).filter((parcel) => parcel !== null);
};

interface Connections {
  /** It has only what these operations make. */
  readonly own: PlatformConnection;
  readonly filled: readonly number[];
  /** Its deliveries are told to `webhooks`. */
  readonly watched: PlatformConnection;
  readonly webhooks: readonly PlatformConnection[];
}

/** What workers do to parcels. */
export const workerOperations = (
  database: TestDatabase,
  { own: connection, filled, watched, webhooks }: Connections,
): readonly Operation[] => {
  const parcels = (count: number, options: Partial<Parameters<typeof givenParcel>[1]> = {}) =>
    Promise.all(Array.from({ length: count }, () => givenParcel(database, { connection, ...options })));
  /** Closes what an operation has left, or the next one would find it. */
  const closeAll = () =>
    database.pool.query(
      `with gone as (delete from delivery_due where connection_id = $1 returning delivery_ids)
       update delivery set state = 'failed', closed_at = now() where id in (select unnest(delivery_ids) from gone)`,
      [connection.id],
    );

  return [
    {
      name: 'claim by ids, and settle',
      rowsMax: 900,
      async run(on) {
        const given = await parcels(20, { size: 20 });
        const claimed = await claimAll(on, given);
        const settle = parcelSettler(on.pool);
        await Promise.all(claimed.map((parcel) => settle(settlementOf(parcel))));
        // late: another worker has claimed what is delivered
        await Promise.all(claimed.map((parcel) => settle(settlementOf(parcel))));
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'claim and settle adjustments',
      rowsMax: 300,
      async run(on) {
        const claimed = await claimAll(on, await parcels(2, { size: 20, subject: 'adjustment' }));
        const settle = parcelSettler(on.pool);
        await Promise.all(claimed.map((parcel) => settle(settlementOf(parcel))));
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'claim adjustments of conversions that were delivered and have 20 adjustments each',
      rowsMax: 1_200,
      async run(on) {
        const sold = await givenPlatformRequest(database.em(), { connection, deliveries: 2 });
        const { rows } = await database.pool.query<{ id: string; parcelId: string }>(
          `with adjustment as (
             insert into conversion_adjustment (account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at)
             select account_id, conversion_id, false, 'retract', 0, 10, now()
             from delivery cross join generate_series(1, 20) where id = any($1) returning id, account_id
           ), made as (
             insert into delivery (account_id, adjustment_id, connection_id, occurred_at, parcel_id)
             select account_id, id, $2, now(), nextval('delivery_due_id_seq') from adjustment order by id
             returning id, account_id, parcel_id
           ), due as (
             insert into delivery_due (id, account_id, connection_id, delivery_ids)
             select parcel_id, account_id, $2, array[id] from made
           )
           select id, parcel_id as "parcelId" from made order by id`,
          [sold.deliveries, connection.id],
        );
        await claimAll(
          on,
          rows.map(({ id, parcelId }) => ({ id: Number(parcelId), deliveryIds: [Number(id)] })),
        );
        await closeAll();
      },
    },
    {
      name: 'claim and settle leads',
      rowsMax: 300,
      async run(on) {
        const claimed = await claimAll(on, await parcels(2, { size: 20, subject: 'client' }));
        const settle = parcelSettler(on.pool);
        await Promise.all(claimed.map((parcel) => settle(settlementOf(parcel))));
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'claim and settle 50 deliveries',
      rowsMax: 500,
      pagesMax: 1_200,
      async run(on) {
        const [parcel] = await claimAll(on, await parcels(1, { size: 50 }));
        if (parcel) await parcelSettler(on.pool)(settlementOf(parcel));
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'retry full parcels',
      rowsMax: 3_000,
      async run(on) {
        const given = await parcels(10, { size: 200 });
        const claimed = await claimAll(on, given);
        const settle = parcelSettler(on.pool);
        await Promise.all(
          claimed.map((parcel) => {
            const [, , retry] = settlementOf(parcel).deliveries;
            const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
            return settle({ parcel, deliveries: retry ? [{ ...retry, deliveryIds }] : [] });
          }),
        );
        await closeAll();
      },
    },
    {
      name: 'claim of connections',
      rowsMax: 1_500,
      run: (on) =>
        claimParcelsOfConnections(
          on.pool,
          filled.map((connectionId) => ({ connectionId, deliveries: 20, dueSince: '-infinity' })),
          givenContacts(),
        ),
    },
    {
      name: 'split suspects, claim one, fail crashed',
      rowsMax: 500,
      async run(on) {
        await parcels(2, { size: 20, leasesLost: 2 });
        await parcels(2, { leasesLost: 4 });
        await splitSuspectParcels(on.pool);
        await failCrashedDeliveries(on.pool);
        await claimSuspectParcel(on.pool, givenContacts());
        await closeAll();
      },
    },
    {
      name: 'settle with webhooks, claim and settle webhooks',
      rowsMax: 1_000,
      async run(on) {
        const settle = parcelSettler(on.pool);
        const told = await claimAll(on, await parcels(2, { connection: watched, size: 50 }));
        const wanted = webhooks.map(
          ({ id }) => ({ connectionId: id, deliveries: 200, dueSince: '-infinity' }) as const,
        );
        const settleAll = async (claimed: readonly ClaimedParcel[]) => {
          for (const parcel of claimed) {
            const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
            await settle({ parcel, deliveries: [{ ...delivered, attempt, deliveryIds }] });
          }
        };
        await settleAll(told);
        await settleAll(await claimParcelsOfConnections(on.pool, wanted, givenContacts()));
      },
    },
    {
      name: 'take a quota slot',
      rowsMax: 5,
      run: (on) =>
        takeQuotaSlot(on.pool, {
          name: 'quota',
          perMinute: 60_000,
          perDay: 100_000,
          timeZone: 'UTC',
          waitMaxMs: 60_000,
        }),
    },
    {
      name: 'take and close platform requests',
      rowsMax: 200,
      async run(on) {
        await givenPlatformRequest(database.em(), { connection, deliveries: 3 });
        for (const due of await takeDuePlatformRequests(on.pool, 20)) {
          await closePlatformRequest(on.pool, due, { verdict: {}, effect: used });
        }
      },
    },
    {
      name: 'find due',
      rowsMax: 500,
      async run(on) {
        const due = dueFinder(on.pool);
        await due.find();
        await due.find();
      },
    },
  ];
};
