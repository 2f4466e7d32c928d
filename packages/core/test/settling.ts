import { givenContacts, type TestDatabase } from '@leadback/testing';
import { type ClaimedParcel, parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler, type Settled, type SettledDeliveries } from '../src/delivery/settle.ts';
import { comesDue, parcelOf } from './parcels.ts';

export const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: '{}', durationMs: 5 } as const;
export type Outcome = Omit<SettledDeliveries, 'deliveryIds'>;
export const delivered: Outcome = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt };
export const failed: Outcome = { ...delivered, state: 'failed', reason: 'bad_event' };
export const unavailable = (retryInMs: number): Outcome => ({
  state: 'pending',
  reason: 'server_error',
  retryInMs,
  isCounted: true,
  attempt: { ...attempt, outcome: 'unavailable', reason: 'server_error', httpStatus: 503 },
});
export const rejected: Outcome = {
  state: 'pending',
  reason: 'token revoked',
  retryInMs: 0,
  isCounted: true,
  attempt: { ...attempt, outcome: 'refused', reason: 'token revoked', httpStatus: 400 },
};

/** Claims and settles like a worker. */
export const settling = (database: TestDatabase) => {
  /** The parcel of a delivery, claimed, whether it is due or not. */
  const claimed = async (deliveryId: number): Promise<ClaimedParcel> => {
    const { id } = await parcelOf(database, deliveryId);
    await comesDue(database.pool, id);
    const parcel = await parcelClaimer(database.pool, givenContacts())(id);
    if (parcel === null) throw new Error('the parcel was not claimed');
    return parcel;
  };
  const settle = (parcel: ClaimedParcel, outcome: Outcome, ids?: readonly number[]): Promise<Settled> => {
    const deliveryIds = ids ?? parcel.deliveries.map(({ deliveryId }) => deliveryId);
    return parcelSettler(database.pool)({ parcel, deliveries: [{ ...outcome, deliveryIds }] });
  };
  /** Claims a delivery and settles it. Returns its new state. */
  const send = async (deliveryId: number, outcome: Outcome) =>
    (await settle(await claimed(deliveryId), outcome)).states.get(deliveryId);
  return { claimed, settle, send };
};
