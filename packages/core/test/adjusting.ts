import { Delivery } from '@leadback/db';
import { type AdjustingRules, heldBack } from '../src/delivery/settle.ts';
import type { ClaimedDelivery } from '@leadback/core/delivery/claim';
import { givenAdjustment, givenConnection, givenConversion, givenDelivery, type TestDatabase } from '@leadback/testing';
import { settling } from './settling.ts';

type Adjustments = readonly Partial<Omit<Parameters<typeof givenAdjustment>[1], 'conversion'>>[];
interface Rules extends AdjustingRules {
  readonly atMs: number;
}

/** Why the delivery of an adjustment is not sent at once; undefined if it is. As at a platform that keeps the last total. */
export const held = (delivery: ClaimedDelivery, { atMs = delivery.createdAtMs, ...rules }: Partial<Rules> = {}) => {
  if (delivery.others === undefined) throw new Error('the delivery reports no adjustment');
  return heldBack(delivery, atMs, { overwrite: true, areConfirmed: false, wentElsewhere: () => false, ...rules });
};

/** Conversions with adjustments, and their deliveries. */
export const adjusting = (database: TestDatabase) => ({
  /** A conversion of 100 with a delivery, and adjustments with deliveries to the same connection. */
  given: async (
    state: Delivery['state'],
    adjustments: Adjustments = [{}],
    sale: Parameters<typeof givenConversion>[1] = {},
  ) => {
    const em = database.em();
    const connection = await givenConnection(em, { platform: 'google' });
    const account = await connection.account.loadOrFail();
    const conversion = await givenConversion(em, { account, amount: '100.00', ...sale });
    const { id } = await givenDelivery(em, { connection, conversion, state });
    const deliveries = [];
    for (const options of adjustments) {
      const adjustment = await givenAdjustment(em, { conversion, ...options });
      deliveries.push({ adjustment: adjustment.id, id: (await givenDelivery(em, { connection, adjustment })).id });
    }
    const [first = { adjustment: 0, id: 0 }, second = first] = deliveries;
    return { connection, conversion, original: id, first, second };
  },
  /** A delivery, as a worker claims it. */
  claimed: async (deliveryId: number) => {
    const parcel = await settling(database).claimed(deliveryId);
    const delivery = parcel.deliveries.find((one) => one.deliveryId === deliveryId);
    if (!delivery) throw new Error('the parcel has no such delivery');
    return { ...delivery, parcel };
  },
  /** Changes a delivery. One that is closed leaves its parcel, in which it is alone. */
  set: async (
    id: number,
    changes: Partial<Pick<Delivery, 'state' | 'reason' | 'note' | 'eventNote' | 'isConfirmed'>>,
  ) => {
    const isClosed = changes.state !== undefined && changes.state !== 'pending';
    if (isClosed) await database.pool.query('delete from delivery_due where delivery_ids = array[$1::bigint]', [id]);
    await database.em().nativeUpdate(Delivery, { id }, { ...changes, ...(isClosed && { parcelId: null }) });
  },
  stored: (id: number) => database.em().findOneOrFail(Delivery, id),
});
