import { apiKeyFinder } from '@leadback/core/api-keys/find-api-key';
import { clientBatchRegistrar, conversionBatchRegistrar } from '@leadback/core/batches';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import {
  type ClaimedParcel,
  claimParcelsOfConnections,
  claimSuspectParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { resumeConnection } from '@leadback/core/connections/store';
import { dueFinder } from '@leadback/core/delivery/due';
import { parcelSettler, type SettledDeliveries } from '../../src/delivery/settle.ts';
import { leadRegistrar, leadSchema } from '@leadback/core/leads/register';
import { bufferedLeadRecorder, leadRecorder } from '@leadback/core/leads/record';
import { metricsRoller } from '@leadback/core/metrics/metrics';
import { readFunnels } from '@leadback/core/quality/funnel';
import { qualityRoller } from '@leadback/core/quality/quality';
import { type Account, PlatformConnection } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import {
  bufferedLead,
  givenContacts,
  givenPlatformRequest,
  secretsKeys,
  type TestDatabase,
  unique,
} from '@leadback/testing';
import { givenParcel, type TestParcel } from '../parcels.ts';
import type { ExplainedDatabase, Operation } from '../plans.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const delivered = { state: 'delivered', reason: null, retryInMs: null, isCounted: true } as const;
const outcomes = (): readonly Omit<SettledDeliveries, 'deliveryIds'>[] => [
  {
    ...delivered,
    attempt: { ...attempt, request: { name: unique('request'), checkInMs: 86_400_000 } },
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
      name: 'read how far conversions came',
      rowsMax: 500,
      async run(on) {
        await parcels(2, { size: 20 });
        const today = new Date().toISOString().slice(0, 10);
        await readFunnels(on.pool, { accountId: connection.account.id, isTest: false }, { from: today, to: today });
        await closeAll();
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

const together = 20;

/** Everything that partners and visitors do, and the roll-up of the metrics that follow. */
export const intakeOperations = (account: Account, page: number): readonly Operation[] => {
  const mode = { accountId: account.id, isTest: false };
  const keys = leadReferenceKeys(secretsKeys);

  return [
    {
      name: 'register leads, clients and conversions',
      rowsMax: 1_000,
      async run({ pool }) {
        const record = leadRecorder(pool, givenContacts());
        const registerClient = clientRegistrar(pool, {
          contacts: givenContacts(),
          referenceKeys: keys,
          announce: () => {},
        });
        const registerConversion = conversionRegistrar(pool, { contacts: givenContacts(), announce: () => {} });
        const references = Array.from({ length: together }, () => issueLeadReference(keys));
        await Promise.all(
          references.map((reference) =>
            record(bufferedLead({ accountId: account.id, landingPageId: page, reference })),
          ),
        );
        const clients = references.map((leadReference) => ({
          leadReference,
          externalReference: leadReference,
          email: `${leadReference}@x.example`,
        }));
        const register = () =>
          Promise.all(clients.map((client) => registerClient(mode, client, client.externalReference)));
        await register();
        await register();
        const sale = { amount: '10', currency: 'USD' } as const;
        const sales = clients.flatMap(({ externalReference, email }) => [
          { ...sale, clientExternalReference: externalReference, conversionExternalReference: unique('order') },
          { ...sale, email, eventId: unique('event') },
        ]);
        await Promise.all(sales.map((one) => registerConversion(mode, one, unique('key'))));
        await Promise.allSettled(sales.map((one) => registerConversion(mode, one)));
        const { id } = await registerConversion(mode, {
          ...sale,
          clientExternalReference: references[0] ?? '',
          conversionExternalReference: unique('order'),
        });
        const adjust = conversionAdjuster(pool, { announce: () => {} });
        const orders = sales.flatMap((one) =>
          'conversionExternalReference' in one ? [one.conversionExternalReference] : [],
        );
        const restate = (conversionExternalReference: string) => {
          const named = {
            conversionExternalReference,
            adjustmentExternalReference: `${conversionExternalReference} less`,
          };
          return adjust(mode, { ...named, kind: 'restate', amount: '5' }, unique('key'));
        };
        await Promise.all(orders.map(restate));
        await Promise.allSettled(orders.map(restate));
        await adjust(mode, { conversionId: id, kind: 'retract' });
      },
    },
    {
      name: 'register leads of the server of an advertiser, and the same again',
      rowsMax: 200,
      async run({ pool }) {
        const register = leadRegistrar(pool, { contacts: givenContacts(), referenceKeys: keys });
        const urls = Array.from({ length: together }, () => `https://shop.example/?gclid=${issueLeadReference(keys)}`);
        const send = (url: string, more: object = {}) =>
          register({
            mode,
            input: leadSchema.parse({ url, ...more }),
            actor: 'key 1',
            idempotencyKey: undefined,
            traceParent: undefined,
          });
        const first = await Promise.all(urls.map((url) => send(url)));
        const consent = { adUserData: 'denied' };
        const again = async (url: string, index: number) => {
          const cookies = { leadback: first[index]?.lead?.reference };
          await send('https://shop.example/?utm_campaign=letter', { cookies });
          await send(url, { cookies, consent });
        };
        await Promise.all(urls.map(again));
      },
    },
    {
      name: 'record leads that were buffered',
      rowsMax: 200,
      async run({ pool }) {
        const record = bufferedLeadRecorder(pool, givenContacts());
        const leads = Array.from({ length: together }, () =>
          bufferedLead({
            accountId: account.id,
            landingPageId: page,
            reference: issueLeadReference(keys),
            email: unique('erased@x.example'),
          }),
        );
        await Promise.all(leads.map(record));
      },
    },
    {
      name: 'register batches of clients and conversions, again, and with differences',
      rowsMax: 5_000,
      async run({ pool }) {
        const record = leadRecorder(pool, givenContacts());
        const reference = issueLeadReference(keys);
        await record(bufferedLead({ accountId: account.id, landingPageId: page, reference }));
        const clients = Array.from({ length: together }, () => {
          const externalReference = unique('client');
          return { leadReference: reference, externalReference, email: `${externalReference}@x.example` };
        });
        const sale = { amount: 10, currency: 'USD' };
        const sales = clients.map(({ externalReference, email }, index) => ({
          ...sale,
          ...(index % 2 ? { email } : { clientExternalReference: externalReference }),
          conversionExternalReference: unique('order'),
        }));
        const options = { contacts: givenContacts(), announce() {}, onRefused() {} };
        const registerClients = clientBatchRegistrar(pool, { referenceKeys: keys, ...options });
        const registerConversions = conversionBatchRegistrar(pool, options);
        for (const isDryRun of [true, false, false]) {
          await registerClients(mode, clients, { isDryRun }, unique('key'));
          await registerConversions(mode, sales, { isDryRun });
        }
        await registerConversions(
          mode,
          sales.map((one) => ({ ...one, amount: 11 })),
          { isDryRun: false },
        );
      },
    },
    {
      name: 'register clients whose leads are told',
      rowsMax: 1_000,
      async run(on) {
        const reference = issueLeadReference(keys);
        await leadRecorder(
          on.pool,
          givenContacts(),
        )(bufferedLead({ accountId: account.id, landingPageId: page, reference }));
        const { id } = await on
          .em()
          .findOneOrFail(PlatformConnection, { account: account.id }, { orderBy: { id: 'asc' } });
        const tell = (...eventKinds: PlatformConnection['eventKinds']) =>
          on.em().nativeUpdate(PlatformConnection, { id, account: account.id }, { eventKinds });
        await tell('conversion', 'lead');
        const register = clientRegistrar(on.pool, {
          contacts: givenContacts(),
          referenceKeys: keys,
          announce: () => {},
        });
        await Promise.all(
          Array.from({ length: together }, () =>
            register(mode, { leadReference: reference, externalReference: unique('client') }, unique('key')),
          ),
        );
        await tell('conversion');
      },
    },
    {
      name: 'find an API key',
      rowsMax: 200,
      run: ({ pool }) => apiKeyFinder(pool)('00'),
    },
    {
      name: 'roll up metrics and quality',
      rowsMax: 2_100,
      async run({ pool }) {
        await metricsRoller()(pool, 500);
        await qualityRoller()(pool, 500);
      },
    },
  ];
};
