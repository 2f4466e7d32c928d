import { erasePerson } from '@leadback/core/erasure/erase-person';
import { inTransaction, preparedStatement, type PlatformConnection } from '@leadback/db';
import type { AttemptRecord } from '@leadback/core/delivery/next-state';
import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import {
  closePlatformRequest,
  postponePlatformRequest,
  type RequestStatusEffect,
} from '@leadback/core/delivery/request-status';
import { dueFinder, measureBacklog } from '@leadback/core/delivery/due';
import { parcelSettler, type SettledDeliveries } from '@leadback/core/delivery/settle';
import { pauseConnection, resumeConnection } from '@leadback/core/delivery/connections';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import { enqueued, enqueuedAdjustments, enqueuedLeads } from '@leadback/core/delivery/enqueue';
import { givenContacts, givenClient, givenDelivery, givenLead, type TestDatabase, unique } from '@leadback/testing';
import { platformRequests } from '../../support/platform-requests.ts';
import type { Given } from './situations.ts';

const minuteMs = 60_000;
const longerThanRetriedMs = 4 * 24 * 60 * minuteMs;

const attempted = (outcome: AttemptRecord['outcome']): AttemptRecord => {
  return { outcome, reason: null, httpStatus: 200, answer: null, durationMs: 1 };
};

type Outcome = Omit<SettledDeliveries, 'deliveryIds'>;
const closed = { reason: null, retryInMs: null, isCounted: true } as const;
const again = { state: 'pending', reason: 'later', isCounted: true } as const;

const settlements = {
  delivered: { ...closed, state: 'delivered', attempt: attempted('delivered') },
  failed: { ...closed, state: 'failed', attempt: attempted('rejected') },
  skipped: { ...closed, state: 'skipped', attempt: null },
  retry: { ...again, retryInMs: minuteMs, attempt: attempted('unavailable') },
  'retry too late': { ...again, retryInMs: longerThanRetriedMs, attempt: attempted('unavailable') },
  postponed: { ...again, retryInMs: 0, isCounted: false, attempt: null },
  'connection rejected': { ...again, retryInMs: 0, attempt: attempted('refused') },
} as const satisfies Record<string, Outcome>;

const effect = { reason: 'CODE', pauseMs: null, isOfAll: true, refusal: null, note: null, isConfirmed: false } as const;

const requestStatuses = {
  'used in part': { ...effect, state: 'delivered', note: 'used in part' },
  failed: { ...effect, state: 'failed' },
  skipped: { ...effect, state: 'skipped' },
  temporary: { ...effect, state: 'pending', pauseMs: minuteMs },
  'temporary, too late': { ...effect, state: 'pending', pauseMs: longerThanRetriedMs },
  'connection rejected': { ...effect, state: 'pending', refusal: 'CODE: terms not signed' },
} as const satisfies Record<string, RequestStatusEffect>;

const register = preparedStatement(
  'register-for-test',
  `with created as (
     insert into conversion (account_id, client_id, amount, currency, event_id, landing_page_id, campaign)
     select $1, id, 10, 'USD', gen_random_uuid(), landing_page_id, campaign from client where id = $2
     returning id, account_id, is_test, occurred_at, null::text as trace_parent, landing_page_id, campaign
   ), ${enqueued} select parcels from new_parcels`,
);

// the conversion was delivered before
const adjust = preparedStatement(
  'adjust-for-test',
  `with created as (
     insert into conversion_adjustment (account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at)
     select account_id, conversion_id, false, 'retract', 0, 10, now() from delivery where connection_id = $1
     returning id, account_id, conversion_id, is_test, occurred_at, null::text as trace_parent
   ), ${enqueuedAdjustments} select parcels from new_parcels`,
);

const registerClient = preparedStatement(
  'register-client-for-test',
  `with created as (
     insert into client (account_id, lead_id, landing_page_id, campaign)
     select $1, id, landing_page_id, '' from lead where id = $2
     returning id, account_id, is_test, null::timestamptz as occurred_at, null::text as trace_parent
   ), ${enqueuedLeads} select parcels from new_parcels`,
);

const claimedConnection = ({ id, account, platform, version }: PlatformConnection) => {
  return { id, accountId: account.id, platform, version };
};

type Operation = (given: Given) => Promise<unknown>;

/** Everything that the apps do to deliveries, by name. */
export const operationsOn = (database: TestDatabase): Readonly<Record<string, Operation>> => {
  const { pool } = database;
  const requests = platformRequests(database);

  const settleAs =
    (outcome: Outcome, claimsSince: number): Operation =>
    ({ connection, deliveryIds, parcel }) =>
      parcelSettler(pool)({
        parcel: {
          id: parcel.id,
          claim: parcel.claim - claimsSince,
          connection: claimedConnection(connection),
        },
        deliveries: [{ ...outcome, deliveryIds }],
      });

  // the request of an attempt that was made before
  const givenRequest = async ({ connection, deliveryIds }: Given) => {
    const { rows } = await pool.query<{ id: string }>(
      `with attempt as (
         insert into delivery_attempt (account_id, delivery_id, outcome, duration_ms, platform_request)
         select $1, unnest($3::bigint[]), 'delivered', 1, $4
       )
       insert into platform_request (account_id, connection_id, name, look_at) values ($1, $2, $4, now()) returning id`,
      [connection.account.id, connection.id, deliveryIds, unique('request')],
    );
    return Number(rows[0]?.id);
  };
  const closeAs =
    (status: RequestStatusEffect): Operation =>
    async (given) => {
      const id = await givenRequest(given);
      const taken = await requests.take(id);
      if (taken) await closePlatformRequest(pool, taken, { verdict: {}, effect: status });
    };

  const named = <Value>(prefix: string, values: Readonly<Record<string, Value>>, of: (value: Value) => Operation) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}: ${name}`, of(value)]));

  return {
    register: async ({ connection }) => {
      const account = await connection.account.loadOrFail();
      await register(pool, [account.id, (await givenClient(database.em(), { account })).id]);
    },
    'register a client': async ({ connection }) => {
      const account = await connection.account.loadOrFail();
      await registerClient(pool, [account.id, (await givenLead(database.em(), { account })).id]);
    },
    adjust: async ({ connection }) => {
      await givenDelivery(database.em(), { connection, state: 'delivered' });
      await adjust(pool, [connection.id]);
    },
    'claim by id': ({ parcel }) => parcelClaimer(pool, givenContacts())(parcel.id),
    'claim of connections': ({ connection }) =>
      claimParcelsOfConnections(
        pool,
        [{ connectionId: connection.id, deliveries: 10, dueSince: '-infinity' }],
        givenContacts(),
      ),
    'claim a suspect': () => claimSuspectParcel(pool, givenContacts()),
    'split suspects': () => splitSuspectParcels(pool),
    'fail crashed': () => failCrashedDeliveries(pool),
    ...named('settle', settlements, (outcome) => settleAs(outcome, 0)),
    ...named('settle after another claim', settlements, (outcome) => settleAs(outcome, 1)),
    pause: ({ connection }) => pauseConnection(database.em(), connection.id),
    resume: ({ connection }) => resumeConnection(database.em(), connection.id),
    requeue: ({ deliveryIds }) => requeueDeliveries(database.em(), deliveryIds),
    'requeue all of a connection': ({ connection }) =>
      requeueDeliveriesOfConnection(database.em(), { id: connection.id, accountId: connection.account.id }),
    ...named('request status', requestStatuses, closeAs),
    'request status: not yet known': async (given) => {
      const taken = await requests.take(await givenRequest(given));
      if (taken) await postponePlatformRequest(pool, taken, minuteMs);
    },
    'find due': () => dueFinder(pool).find(),
    'measure the backlog': () => measureBacklog(pool),
    'take a quota slot': () =>
      takeQuotaSlot(pool, { name: unique('quota'), perMinute: 60, perDay: 60, timeZone: 'UTC', waitMaxMs: 0 }),
    'erase the client': ({ connection }) =>
      inTransaction(pool, (on) =>
        erasePerson(
          on,
          { accountId: connection.account.id, decidedBy: 'partner', email: 'ana@x.example' },
          { id: 'E'.repeat(22), hasWaitedForImports: false },
          givenContacts(),
        ),
      ),
  };
};
