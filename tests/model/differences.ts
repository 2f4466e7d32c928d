import { z } from 'zod';
import type { DeliveryCore } from './core.ts';
import type { Model } from './model.ts';

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
