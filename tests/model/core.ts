import { clientRegistrar } from '@leadback/core/clients/register';
import {
  type BackfillCursor,
  type Backfilled,
  backfillPart,
  nothingBackfilled,
} from '@leadback/core/connections/backfill';
import { deleteConnection, endDeliveriesOfDeleted } from '@leadback/core/connections/delete';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { dueFinder } from '@leadback/core/delivery/due';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { readAttention, readOnTheirWay, readUntold } from '@leadback/core/delivery/waiting';
import { completeErasure, erasureTools, performAtOnce } from '@leadback/core/erasure/perform-erasure';
import { type Account, transaction } from '@leadback/db';
import type { ClickParameters } from '@leadback/domain';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenAccount,
  givenConnection,
  givenContacts,
  givenLead,
  secretsKeys,
  type TestDatabase,
} from '@leadback/testing';
import { z } from 'zod';
import type { Model } from './model.ts';
import { emailOf } from './sales-model.ts';

export type ModelPlatform = 'meta' | 'google';

// the connections that a sequence adds are newer than those of the first line
const clear = (connections: readonly number[]) => [
  `with attempt as (delete from delivery_attempt), due as (delete from delivery_due),
     adjustment as (delete from conversion_adjustment), answer as (delete from idempotency_record),
     click as (delete from client_lead), first as (delete from first_sale), client as (delete from client), lead as (delete from lead)
   delete from delivery`,
  'delete from conversion',
  'delete from connection_settings_change',
  `delete from platform_connection where id <> all('{${connections.join(',')}}')`,
  `update platform_connection set state = 'active', state_reason = null, resumed_at = null, deleted_at = null`,
  'update platform_connection set version = 1',
];

const pass = {
  pauses: `update delivery_due set not_before = now() where phase = 'waiting' and not_before > now()`,
  // created before, and resumed before or never
  days: `with delivery as (
       update delivery set created_at = created_at - interval '4 days', retried_since = retried_since - interval '4 days')
     update platform_connection set resumed_at = null where resumed_at is not null`,
};

/** The real delivery core: three accounts, of which one begins without a connection, and all that the apps do to deliveries. */
export const deliveryCore = async (database: TestDatabase) => {
  const { pool } = database;
  const contacts = givenContacts();
  const em = database.em();
  const both = await givenAccount(em);
  const other = await givenAccount(em, { attribution: 'first' });
  const accounts = [both, other, await givenAccount(em)];
  const connect = async (account: Account, platform: ModelPlatform) => {
    const { id, version } = await givenConnection(database.em(), { account, platform });
    return { id, version, accountId: account.id, platform, overwrites: platform === 'google' };
  };
  const connections = [await connect(both, 'meta'), await connect(both, 'google'), await connect(other, 'google')];
  const erasing = erasureTools(secretsKeys, 30);
  const options = { contacts, announce: () => {} };
  const registerClient = clientRegistrar(pool, { ...options, referenceKeys: leadReferenceKeys(secretsKeys) });
  const due = dueFinder(pool);

  return {
    pool,
    connections,
    accounts,
    connect,
    /** Deletes all but the connections of the beginning; these are active, and in their first version. */
    async reset() {
      for (const statement of clear(connections.map(({ id }) => id))) await database.asOwner(statement);
    },
    /** A visitor follows a link, and becomes a client of the account, or is one. */
    async click(
      account: Account,
      externalReference: string,
      lead: { clickParameters: ClickParameters; createdAt: Date },
    ) {
      const { id, reference: leadReference } = await givenLead(database.em(), { account, ...lead });
      const mode = { accountId: account.id, isTest: false };
      const email = emailOf(externalReference);
      const client = await registerClient(mode, { leadReference, externalReference, email });
      return { leadId: id, clientId: client.id };
    },
    async erase(accountId: number, externalReference: string) {
      const wanted = { accountId, askedBy: 'partner', actor: 'key 1', subject: { externalReference } } as const;
      const { id } = await transaction(pool, (tx) => performAtOnce(tx, wanted, erasing));
      await completeErasure(pool, id, erasing);
    },
    register: conversionRegistrar(pool, options),
    adjust: conversionAdjuster(pool, options),
    claimByHint: parcelClaimer(pool, contacts),
    async claimOf(connectionId: number, deliveries: number) {
      await due.find([connectionId]);
      const wanted = { connectionId, deliveries, dueSince: due.dueSince(connectionId) };
      return claimParcelsOfConnections(pool, [wanted], contacts);
    },
    claimSuspect: () => claimSuspectParcel(pool, contacts),
    splitSuspects: () => splitSuspectParcels(pool),
    failCrashed: () => failCrashedDeliveries(pool),
    settle: parcelSettler(pool),
    retry: (ids: readonly number[]) => requeueDeliveries(database.em(), ids),
    retryAll: (connection: { id: number; accountId: number }) =>
      requeueDeliveriesOfConnection(database.em(), connection),
    pause: (id: number) => pauseConnection(database.em(), id),
    resume: (id: number) => resumeConnection(database.em(), id),
    delete: (id: number, isDiscarding: boolean) =>
      deleteConnection(pool, { secretsKeys }, { id, actor: 'ana', isDiscarding }),
    endOfDeleted: () => endDeliveriesOfDeleted(pool),
    async backfill(wanted: { readonly id: number; readonly from: string; readonly isDryRun: boolean }) {
      let [sums, after]: [Backfilled, BackfillCursor | undefined] = [nothingBackfilled, undefined];
      do {
        const part = await backfillPart(pool, { actor: 'ana', after, ...wanted }, sums);
        [sums, after] = [part.sums, part.next];
      } while (after);
      return sums;
    },
    /** What is on its way from an account, and what waits for a person. */
    async whatWaits(accountId: number) {
      const attention = await readAttention(pool, { accountId, isTest: false });
      const onTheirWay = await readOnTheirWay(pool, { accountId });
      const untoldEver = await readUntold(pool, { accountId }, {});
      return whatWaitsSchema.parse({ ...attention, held: attention.connections, onTheirWay, untoldEver });
    },
    /** A crash is a lease that ends: the clock of PostgreSQL cannot be moved. */
    endLease: (parcelId: number) =>
      pool.query(`update delivery_due set not_before = now() where id = $1 and phase = 'claimed'`, [parcelId]),
    passPauses: () => pool.query(pass.pauses),
    passDays: () => pool.query(pass.days),
  };
};

// what the model knows of it
const untoldSchema = z.object({
  conversions: z.number(),
  money: z.array(z.object({ currency: z.string(), amount: z.string() })),
});
const waitingSchema = z.array(untoldSchema.extend({ connectionId: z.number(), deliveries: z.number() }));
const whatWaitsSchema = z.object({
  onTheirWay: waitingSchema,
  held: waitingSchema,
  untoldEver: untoldSchema,
  untold: untoldSchema.extend({ connectionIds: z.array(z.number()) }),
});

export type DeliveryCore = Awaited<ReturnType<typeof deliveryCore>>;

const stateSchema = z.object({
  connections: z.array(z.object({ id: z.number(), state: z.string(), version: z.number() })),
  clients: z.array(z.object({ id: z.number(), reference: z.string().nullable(), leads: z.array(z.number()) })),
  sales: z.array(
    z.object({
      id: z.number(),
      accountId: z.number(),
      clientId: z.number(),
      leadId: z.number(),
      amount: z.number(),
      isUntold: z.boolean(),
      adjusted: z.array(z.number()),
    }),
  ),
  deliveries: z.array(
    z.object({
      id: z.number(),
      connectionId: z.number(),
      saleId: z.number(),
      adjustmentId: z.number().nullable(),
      leadId: z.number(),
      state: z.string(),
      reason: z.string().nullable(),
      attempts: z.number(),
      throttled: z.number(),
      parcelId: z.number().nullable(),
    }),
  ),
  parcels: z.array(
    z.object({
      id: z.number(),
      connectionId: z.number(),
      deliveries: z.array(z.number()),
      claim: z.number(),
      isClaimed: z.boolean(),
      isDue: z.boolean(),
      leasesLost: z.number(),
    }),
  ),
});

type State = z.infer<typeof stateSchema>;

// a slow machine must not let a lease end by itself
const stopTime = `update delivery_due set not_before = now() + interval '1 hour' where not_before > now()`;

const read = `select
  (select json_agg(json_build_object('id', id, 'state', state, 'version', version) order by id)
   from platform_connection) as connections,
  (select coalesce(json_agg(json_build_object('id', id, 'reference', external_reference, 'leads', array(
     select lead_id union select lead_id from client_lead where client_id = c.id order by 1)) order by id), '[]')
   from client c) as clients,
  (select coalesce(json_agg(json_build_object('id', id, 'accountId', account_id, 'clientId', client_id, 'leadId', lead_id,
     'amount', amount, 'isUntold', is_untold, 'adjusted', coalesce(
     (select json_agg(amount order by a.id) from conversion_adjustment a where conversion_id = v.id), '[]')) order by id), '[]')
   from conversion v) as sales,
  (select coalesce(json_agg(json_build_object('id', f.id, 'connectionId', f.connection_id,
     'saleId', v.id, 'adjustmentId', f.adjustment_id, 'leadId', coalesce(f.lead_id, v.lead_id), 'state', f.state,
     'reason', f.reason, 'attempts', f.attempts, 'throttled', f.throttled, 'parcelId', f.parcel_id) order by f.id), '[]')
   from delivery f left join conversion_adjustment a on a.id = f.adjustment_id
   join conversion v on v.id = coalesce(f.conversion_id, a.conversion_id)) as deliveries,
  (select coalesce(json_agg(json_build_object('id', id, 'connectionId', connection_id, 'deliveries', delivery_ids,
     'claim', claim, 'isClaimed', phase = 'claimed', 'isDue', not_before <= now(), 'leasesLost', claims_lost) order by id), '[]')
   from delivery_due) as parcels`;

/** All that is stored. */
export const stored = async ({ pool }: DeliveryCore): Promise<State> => {
  await pool.query(stopTime);
  return stateSchema.parse((await pool.query(read)).rows[0]);
};

const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

/** All that should be stored. Parcels whose ids are not known yet get those of the stored parcels with the same deliveries. */
export const expected = (
  { connections, clients, sales, deliveries, parcels }: Model,
  { parcels: known }: State,
): State => {
  const named = new Map(known.map(({ id, deliveries: ids }) => [ids.join(), id]));
  for (const parcel of parcels) {
    const ids = [...parcel.deliveries].map(({ id }) => id).toSorted((one, other) => one - other);
    parcel.id ??= named.get(ids.join()) ?? 0;
  }
  return {
    connections: connections.map(({ id, state, version }) => ({ id, state, version })),
    clients: [...clients.values()].toSorted(byId).map(({ id, reference, clicks }) => {
      return { id, reference, leads: clicks.map((click) => click.id).toSorted((one, other) => one - other) };
    }),
    sales: [...sales.values()].toSorted(byId).map(({ id, client, click, amount, isUntold, adjustments }) => {
      const of = { accountId: client.account.id, clientId: client.id, leadId: click.id };
      return { id, ...of, amount, isUntold, adjusted: adjustments.map((one) => one.amount) };
    }),
    deliveries: [...deliveries.values()]
      .toSorted(byId)
      .map(({ connection, sale, adjustment, click, parcel, ...one }) => ({
        id: one.id,
        connectionId: connection.id,
        saleId: sale.id,
        adjustmentId: adjustment?.id ?? null,
        leadId: click.id,
        state: one.state,
        reason: one.reason,
        attempts: one.attempts,
        throttled: one.throttled,
        parcelId: parcel?.id ?? null,
      })),
    parcels: [...parcels]
      .map(({ id = 0, connection, claim, isClaimed, isDue, leasesLost, ...parcel }) => ({
        id,
        connectionId: connection.id,
        deliveries: [...parcel.deliveries].map((one) => one.id).toSorted((one, other) => one - other),
        claim,
        isClaimed,
        isDue,
        leasesLost,
      }))
      .toSorted(byId),
  };
};
