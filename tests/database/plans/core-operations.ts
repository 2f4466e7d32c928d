import type { PlatformConnection } from '@leadback/db';
import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  type ClaimedParcel,
  closePlatformRequest,
  countWaitingFeedback,
  dueFinder,
  failCrashedDeliveries,
  measureBacklog,
  parcelClaimer,
  parcelSettler,
  pauseConnection,
  postponePlatformRequest,
  readConnection,
  requeueFeedback,
  resumeConnection,
  type SettledDeliveries,
  splitSuspectParcels,
  takeDuePlatformRequests,
  takeQuotaSlot,
} from '@leadback/delivery';
import { givenFeedback, givenPlatformRequest, type TestDatabase, unique } from '@leadback/test-fixtures';
import { givenParcel } from '../../support/parcels.ts';
import type { ExplainedDatabase } from '../../support/plans.ts';

export interface Operation {
  readonly name: string;
  /** Changes what it finds, through the database whose plans are told. */
  readonly run: (on: ExplainedDatabase) => Promise<unknown>;
  /** The most rows that one node of a plan may read. */
  readonly rowsMax: number;
  /** The most pages that one statement may read. */
  readonly pagesMax?: number;
  /** Tables of which it reads everything, on purpose. */
  readonly readsAllOf?: readonly string[];
}

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const outcomes = (): readonly Omit<SettledDeliveries, 'feedbackIds'>[] => [
  {
    state: 'delivered',
    reason: null,
    retryInMs: null,
    isCounted: true,
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

// a quarter of the deliveries of a parcel each
const settlementOf = (parcel: ClaimedParcel) => {
  const ids = parcel.deliveries.map(({ feedbackId }) => feedbackId);
  const quarter = Math.ceil(ids.length / 4);
  return {
    parcel,
    deliveries: outcomes().map((outcome, index) => ({
      ...outcome,
      feedbackIds: ids.slice(index * quarter, (index + 1) * quarter),
    })),
  };
};

const effect = { reason: 'x', pauseMs: 60_000, isOfAll: true, refusal: null, note: 'note' } as const;

/** Everything that a worker and an operator do to deliveries. `connection` has only what these operations make. */
export const coreOperations = (
  database: TestDatabase,
  connection: PlatformConnection,
  others: readonly number[],
): readonly Operation[] => {
  const em = () => database.em();
  const parcels = (count: number, options: Partial<Parameters<typeof givenParcel>[1]> = {}) =>
    Promise.all(Array.from({ length: count }, () => givenParcel(database, { connection, ...options })));
  const claimAll = async (on: ExplainedDatabase, ids: readonly number[]) => {
    const claim = parcelClaimer(on.pool);
    return (await Promise.all(ids.map((id) => claim(id)))).filter((parcel) => parcel !== null);
  };
  /** Closes what an operation has left, or the next one would find it. */
  const closeAll = () =>
    database.pool.query(
      `with gone as (delete from feedback_due where connection_id = $1 returning feedback_ids)
       update feedback set state = 'failed', closed_at = now() where id in (select unnest(feedback_ids) from gone)`,
      [connection.id],
    );
  const key = { id: connection.id, accountId: connection.account.id };

  return [
    {
      name: 'claim by ids, and settle',
      rowsMax: 900,
      async run(on) {
        const given = await parcels(20, { size: 20 });
        const claimed = await claimAll(
          on,
          given.map(({ id }) => id),
        );
        const settle = parcelSettler(on.pool);
        await Promise.all(claimed.map((parcel) => settle(settlementOf(parcel))));
        // late: another worker has claimed what is delivered
        await Promise.all(claimed.map((parcel) => settle(settlementOf(parcel))));
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'claim and settle 50 deliveries',
      rowsMax: 100,
      pagesMax: 1_200,
      async run(on) {
        const [parcel] = await claimAll(
          on,
          (await parcels(1, { size: 50 })).map(({ id }) => id),
        );
        if (parcel) await parcelSettler(on.pool)(settlementOf(parcel));
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'retry full parcels',
      rowsMax: 3_000,
      async run(on) {
        const given = await parcels(10, { size: 200 });
        const claimed = await claimAll(
          on,
          given.map(({ id }) => id),
        );
        const settle = parcelSettler(on.pool);
        await Promise.all(
          claimed.map((parcel) => {
            const [, , retry] = settlementOf(parcel).deliveries;
            const feedbackIds = parcel.deliveries.map(({ feedbackId }) => feedbackId);
            return settle({ parcel, deliveries: retry ? [{ ...retry, feedbackIds }] : [] });
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
          others.map((connectionId) => ({ connectionId, deliveries: 20, dueSince: '-infinity' })),
        ),
    },
    {
      name: 'split suspects, claim one, fail crashed',
      rowsMax: 200,
      async run(on) {
        await parcels(2, { size: 20, leasesLost: 2 });
        await parcels(2, { leasesLost: 4 });
        await splitSuspectParcels(on.pool);
        await failCrashedDeliveries(on.pool);
        await claimSuspectParcel(on.pool);
        await closeAll();
      },
    },
    {
      name: 'find due',
      rowsMax: 100,
      async run(on) {
        const due = dueFinder(on.pool);
        await due.find();
        await due.find();
      },
    },
    {
      name: 'requeue by ids',
      rowsMax: 100,
      async run(on) {
        const closed = [];
        for (const state of ['failed', 'skipped'] as const)
          closed.push(await givenFeedback(em(), { connection, state }));
        await requeueFeedback(
          on.em(),
          closed.map(({ id }) => id),
        );
      },
    },
    {
      name: 'take, postpone and close a platform request',
      rowsMax: 200,
      async run(on) {
        for (const state of ['delivered', 'failed', 'pending'] as const) {
          await givenPlatformRequest(em(), { connection, deliveries: 3 });
          for (const due of await takeDuePlatformRequests(on.pool, 20)) {
            await postponePlatformRequest(on.pool, due, 0);
            await closePlatformRequest(on.pool, due, { verdict: {}, effect: { ...effect, state } });
          }
        }
      },
    },
    {
      name: 'take a quota slot, read a connection',
      rowsMax: 5,
      async run(on) {
        const quota = { name: 'quota', perMinute: 60_000, perDay: 100_000, timeZone: 'UTC', waitMaxMs: 60_000 };
        await takeQuotaSlot(on.pool, quota);
        await readConnection(on.pool, key);
      },
    },
    {
      name: 'pause and resume a connection',
      rowsMax: 1_500,
      async run(on) {
        await pauseConnection(on.em(), connection.id);
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'measure the backlog',
      // gauges are about all parcels: these are few, and in memory
      readsAllOf: ['feedback_due'],
      rowsMax: 100_000,
      async run(on) {
        await measureBacklog(on.pool);
        await countWaitingFeedback(on.em(), key.accountId);
      },
    },
  ];
};
