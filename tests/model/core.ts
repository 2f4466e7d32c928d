import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { dueFinder } from '@leadback/core/delivery/due';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { givenAccount, givenClient, givenConnection, givenContacts, type TestDatabase } from '@leadback/testing';
import { z } from 'zod';
import type { Model } from './model.ts';

export const clientReference = 'C1';

const clear = `with attempt as (delete from delivery_attempt), due as (delete from delivery_due),
     adjustment as (delete from conversion_adjustment), answer as (delete from idempotency_record)
   delete from delivery`;

const pass = {
  pauses: `update delivery_due set not_before = now() where phase = 'waiting' and not_before > now()`,
  // created before, and resumed before or never
  days: `with delivery as (
       update delivery set created_at = created_at - interval '4 days', retried_since = retried_since - interval '4 days')
     update platform_connection set resumed_at = null where resumed_at is not null`,
};

/** The real delivery core: two accounts, three connections, one client each, and all that the apps do to deliveries. */
export const deliveryCore = async (database: TestDatabase) => {
  const { pool } = database;
  const contacts = givenContacts();
  const em = database.em();
  const both = await givenAccount(em);
  const other = await givenAccount(em);
  for (const account of [both, other]) await givenClient(em, { account, externalReference: clientReference });
  const connections = [
    await givenConnection(em, { account: both, platform: 'meta' }),
    await givenConnection(em, { account: both, platform: 'google' }),
    await givenConnection(em, { account: other, platform: 'google' }),
  ].map(({ id, account, platform }) => ({ id, accountId: account.id, overwrites: platform === 'google' }));
  const due = dueFinder(pool);

  return {
    pool,
    connections,
    accountIds: [both.id, other.id],
    /** Deletes all conversions; connections are active, and in their first version. */
    async reset() {
      await database.asOwner(clear);
      await database.asOwner('delete from conversion');
      await pool.query(`update platform_connection set state = 'active', state_reason = null, resumed_at = null`);
      await pool.query('update platform_connection set version = 1');
    },
    register: conversionRegistrar(pool, { contacts, announce: () => {} }),
    adjust: conversionAdjuster(pool, { announce: () => {} }),
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
    /** A crash is a lease that ends: the clock of PostgreSQL cannot be moved. */
    endLease: (parcelId: number) =>
      pool.query(`update delivery_due set not_before = now() where id = $1 and phase = 'claimed'`, [parcelId]),
    passPauses: () => pool.query(pass.pauses),
    passDays: () => pool.query(pass.days),
  };
};

export type DeliveryCore = Awaited<ReturnType<typeof deliveryCore>>;

const stateSchema = z.object({
  connections: z.array(z.object({ id: z.number(), state: z.string(), version: z.number() })),
  sales: z.array(
    z.object({ id: z.number(), accountId: z.number(), amount: z.number(), adjusted: z.array(z.number()) }),
  ),
  deliveries: z.array(
    z.object({
      id: z.number(),
      connectionId: z.number(),
      saleId: z.number(),
      adjustmentId: z.number().nullable(),
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
  (select coalesce(json_agg(json_build_object('id', id, 'accountId', account_id, 'amount', amount, 'adjusted', coalesce(
     (select json_agg(amount order by a.id) from conversion_adjustment a where conversion_id = v.id), '[]')) order by id), '[]')
   from conversion v) as sales,
  (select coalesce(json_agg(json_build_object('id', f.id, 'connectionId', f.connection_id,
     'saleId', coalesce(f.conversion_id, a.conversion_id), 'adjustmentId', f.adjustment_id, 'state', f.state,
     'reason', f.reason, 'attempts', f.attempts, 'throttled', f.throttled, 'parcelId', f.parcel_id) order by f.id), '[]')
   from delivery f left join conversion_adjustment a on a.id = f.adjustment_id) as deliveries,
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
export const expected = ({ connections, sales, deliveries, parcels }: Model, { parcels: known }: State): State => {
  const named = new Map(known.map(({ id, deliveries: ids }) => [ids.join(), id]));
  for (const parcel of parcels) {
    const ids = [...parcel.deliveries].map(({ id }) => id).toSorted((one, other) => one - other);
    parcel.id ??= named.get(ids.join()) ?? 0;
  }
  return {
    connections: connections.map(({ id, state, version }) => ({ id, state, version })),
    sales: [...sales.values()].toSorted(byId).map(({ id, accountId, amount, adjustments }) => {
      return { id, accountId, amount, adjusted: adjustments.map((one) => one.amount) };
    }),
    deliveries: [...deliveries.values()].toSorted(byId).map(({ connection, sale, adjustment, parcel, ...one }) => ({
      id: one.id,
      connectionId: connection.id,
      saleId: sale.id,
      adjustmentId: adjustment?.id ?? null,
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
