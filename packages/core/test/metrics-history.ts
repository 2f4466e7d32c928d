import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { changeAccount } from '@leadback/core/accounts/accounts';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { leadRecorder } from '@leadback/core/leads/record';
import { type Database, Delivery, isDatabaseUnavailable, type PoolClient } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from '../src/delivery/settle.ts';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { metricsRoller } from '@leadback/core/metrics/metrics';
import { qualityRoller } from '@leadback/core/quality/quality';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { type DeliveryState, deliveryStates, platformNames, Refusal } from '@leadback/domain';
import {
  givenContacts,
  givenAccount,
  givenConnection,
  givenLandingPage,
  type TestDatabase,
  bufferedLead,
} from '@leadback/testing';
import * as fc from 'fast-check';

// few values, so that steps often change the same sum
const campaigns = ['', 'summer', 'verano – 50 %'];
const daysBack = 2;
/** Of all hours of the day, one is another day in at least one of them. */
const timeZones = [
  'UTC',
  'America/Argentina/Buenos_Aires',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
];
const indexMax = 4;
/** With two, no and three decimals. */
const currencies = ['USD', 'ARS', 'JPY', 'KWD'] as const;

const step = fc.oneof(
  fc.record({
    kind: fc.constant('lead' as const),
    campaign: fc.constantFrom(...campaigns),
    page: fc.nat(1),
    daysAgo: fc.nat(daysBack),
    index: fc.nat(indexMax),
  }),
  fc.record({
    kind: fc.constant('client' as const),
    index: fc.nat(indexMax),
    reference: fc.nat(indexMax),
    isTest: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('conversion' as const),
    reference: fc.nat(indexMax),
    currency: fc.constantFrom(...currencies),
    thousandths: fc.nat(999_999_999),
    isTest: fc.boolean(),
    order: fc.option(fc.nat(indexMax), { nil: undefined }),
    occurredDaysAgo: fc.option(fc.nat(daysBack), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('adjust' as const),
    order: fc.nat(indexMax),
    thousandths: fc.option(fc.nat(999_999_999), { nil: undefined }),
    isTest: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    which: fc.nat(20),
    state: fc.constantFrom(...deliveryStates),
    isAbandoned: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('requeue' as const), which: fc.nat(20) }),
  fc.record({
    kind: fc.constant('fold' as const),
    changesMax: fc.integer({ min: 1, max: 12 }),
    isKilled: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('time zone' as const),
    timeZone: fc.constantFrom(...timeZones),
    isKilled: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('sessions killed' as const), afterMs: fc.nat(5) }),
);

export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Bundles of steps; the steps of a bundle run concurrently. */
export const history = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 10 });

type Of<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** The application name of sessions that may be killed. */
export const killable = 'killable';

const killSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = $1 and state <> 'idle'`;

/**
 * An account, and a function that runs a step of its history with the statements of the apps. It returns whether the
 * session of the step was killed: then the step may or may not be committed.
 */
export const givenHistory = async (database: TestDatabase, apps: Database) => {
  const { pool } = apps;
  const em = database.em();
  const account = await givenAccount(em, { currencies: [...currencies] });
  const pages = [await givenLandingPage(em, { account }), await givenLandingPage(em, { account })];
  for (const platform of platformNames) await givenConnection(em, { account, platform });
  const references = Array.from({ length: indexMax + 1 }, () => bufferedLead().reference);
  const record = leadRecorder(pool, givenContacts());
  // no reference is genuine by this key, so that no registration waits for its lead
  const registerClient = clientRegistrar(pool, {
    contacts: givenContacts(),
    referenceKeys: leadReferenceKeys([randomBytes(32)]),
    announce: () => {},
  });
  const registerConversion = conversionRegistrar(pool, { contacts: givenContacts(), announce: () => {} });
  const adjust = conversionAdjuster(pool, { announce: () => {} });
  const claim = parcelClaimer(pool, givenContacts());
  const settle = parcelSettler(pool);
  const rollers = [metricsRoller(), qualityRoller()];
  const deliveries: number[] = [];
  const oneOf = (which: number) => deliveries[which % deliveries.length];

  const writeLead = ({ campaign, page, daysAgo, index }: Of<'lead'>) =>
    record(
      bufferedLead({
        accountId: account.id,
        landingPageId: pages[page]?.id ?? 0,
        reference: references[index] ?? '',
        clickParameters: campaign === '' ? { gclid: 'g' } : { utm_campaign: campaign },
        visitedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      }),
    );

  const writeConversion = async ({
    reference,
    currency,
    thousandths,
    isTest,
    order,
    occurredDaysAgo,
  }: Of<'conversion'>) => {
    const mode = { accountId: account.id, isTest };
    const { id } = await registerConversion(mode, {
      clientExternalReference: `client ${reference}`,
      amount: (thousandths / 1_000).toFixed(3),
      currency,
      ...(order !== undefined && { conversionExternalReference: `order ${order}` }),
      ...(occurredDaysAgo !== undefined && {
        occurredAt: new Date(Date.now() - occurredDaysAgo * 86_400_000).toISOString(),
      }),
    });
    const { rows } = await database.pool.query<{ id: string }>('select id from delivery where conversion_id = $1', [
      id,
    ]);
    deliveries.push(...rows.map((row) => Number(row.id)));
  };

  const adjustOrder = ({ order, thousandths, isTest }: Of<'adjust'>) =>
    adjust(
      { accountId: account.id, isTest },
      {
        conversionExternalReference: `order ${order}`,
        ...(thousandths === undefined
          ? { kind: 'retract' }
          : { kind: 'restate', amount: (thousandths / 1_000).toFixed(3) }),
      },
    );

  const settleOne = async (deliveryId: number, state: DeliveryState) => {
    const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
    const { parcelId, account: owner, connection } = await database.em().findOneOrFail(Delivery, deliveryId);
    const claimed = typeof parcelId === 'number' ? await claim(parcelId) : null;
    // like a worker whose claim is over, if another step has claimed or closed it
    const key = { id: Number(connection.id), accountId: Number(owner.id), platform: 'meta', version: 1 } as const;
    const late = { id: 0, claim: 0, connection: key };
    const deliveryIds = claimed?.deliveries.map((delivery) => delivery.deliveryId) ?? [deliveryId];
    // also free text, which is not counted
    const reason =
      state === 'delivered' ? null : (['no_match_keys', 'HTTP 503: x', 'Ana García'][deliveryId % 3] ?? null);
    const matchKeys = deliveryIds.map((id) => (id % 4 === 0 ? null : id % 4));
    const outcome = { state, reason, retryInMs: state === 'pending' ? 0 : null, isCounted: true, attempt };
    await settle({ parcel: claimed ?? late, deliveries: [{ ...outcome, deliveryIds, matchKeys }] });
  };

  /** Runs work without committing it, like a process that dies. */
  const abandon = async (work: (on: PoolClient) => Promise<unknown>) => {
    const connection = await pool.connect();
    connection.on('error', () => {});
    try {
      await connection.query('begin');
      await work(connection);
    } finally {
      connection.release(true);
    }
  };

  const fold = async ({ changesMax, isKilled }: Of<'fold'>) => {
    for (const rollUp of rollers) {
      await (isKilled ? abandon((on) => rollUp(on, changesMax)) : rollUp(pool, changesMax));
    }
  };

  const move = ({ timeZone, isKilled }: Of<'time zone'>) =>
    isKilled
      ? abandon((on) => on.query('select change_time_zone($1, $2)', [account.id, timeZone]))
      : changeAccount(apps.em(), { id: account.id, actor: 'test', timeZone });

  const kill = async ({ afterMs }: Of<'sessions killed'>) => {
    await pause(afterMs);
    await database.pool.query(killSessions, [killable]);
  };

  const runStep = async (one: Step): Promise<unknown> => {
    if (one.kind === 'lead') return writeLead(one);
    if (one.kind === 'client')
      return registerClient(
        { accountId: account.id, isTest: one.isTest },
        { leadReference: references[one.index] ?? '', externalReference: `client ${one.reference}` },
      );
    if (one.kind === 'conversion') return writeConversion(one);
    if (one.kind === 'adjust') return adjustOrder(one);
    if (one.kind === 'fold') return fold(one);
    if (one.kind === 'time zone') return move(one);
    if (one.kind === 'sessions killed') return kill(one);
    const deliveryId = oneOf(one.which);
    if (deliveryId === undefined) return undefined;
    if (one.kind === 'requeue') return requeueDeliveries(apps.em(), [deliveryId]);
    return one.isAbandoned
      ? abandon((on) => on.query('update delivery set state = $2 where id = $1', [deliveryId, one.state]))
      : settleOne(deliveryId, one.state);
  };

  return {
    isCutOff: async (one: Step): Promise<boolean> => {
      try {
        await runStep(one);
        return false;
      } catch (error) {
        if (isDatabaseUnavailable(error)) return true;
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
  };
};
