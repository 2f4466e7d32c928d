import { close, deliveriesOf, goes, type Model, type ModelDelivery, type ModelParcel, pack } from './model.ts';

/** A claim of a parcel by a worker, which may be its last one or not. */
export interface ModelClaim {
  readonly parcel: ModelParcel;
  /** Its fencing token. */
  readonly claim: number;
  /** The version of the connection with which it is sent. */
  readonly version: number;
  readonly deliveries: readonly ModelDelivery[];
  /** Why some must not be sent, as was known at the claim. */
  readonly heldBack: ReadonlyMap<ModelDelivery, string>;
}

const lostTogetherMax = 2;
const lostMax = 5;

const isSuspect = ({ leasesLost }: ModelParcel) => leasesLost >= lostTogetherMax;

/** Whether a worker may claim a parcel together with others. */
export const isClaimable = (parcel: ModelParcel): boolean =>
  parcel.isDue && parcel.connection.state === 'active' && !isSuspect(parcel);

/** Whether a worker may claim a parcel alone, because it may crash workers. */
export const isClaimableAlone = (parcel: ModelParcel): boolean =>
  parcel.isDue && parcel.connection.state === 'active' && isSuspect(parcel) && parcel.deliveries.size <= 1;

/** Why the delivery of an adjustment must not be sent now; undefined if it may be. */
const heldBackBy = (model: Model, { adjustment, sale, connection }: ModelDelivery): string | undefined => {
  if (!adjustment) return undefined;
  const others = deliveriesOf(model, sale, connection);
  const original = others.find((one) => !one.adjustment);
  const adjustments = others.flatMap((one) => (one.adjustment ? [{ id: one.adjustment.id, state: one.state }] : []));
  const isLater = ({ id, state }: { id: number; state: string }) =>
    id > adjustment.id && (state === 'pending' || state === 'delivered');
  if (connection.overwrites && adjustments.some(isLater)) return 'superseded';
  if (original?.state === 'pending') return 'original_pending';
  if (original?.state !== 'delivered') return 'original_not_delivered';
  const isEarlier = ({ id, state }: { id: number; state: string }) => id < adjustment.id && state === 'pending';
  return connection.overwrites && adjustments.some(isEarlier) ? 'earlier_adjustment_pending' : undefined;
};

/** Transitions 2 and 3. */
export const claim = (model: Model, parcel: ModelParcel): ModelClaim => {
  for (const delivery of parcel.deliveries) goes(model, parcel.isClaimed ? 3 : 2, delivery, 'claimed');
  if (parcel.isClaimed) parcel.leasesLost += 1;
  parcel.isClaimed = true;
  parcel.isDue = false;
  parcel.claim += 1;
  const deliveries = [...parcel.deliveries];
  return {
    parcel,
    claim: parcel.claim,
    version: parcel.connection.version,
    deliveries,
    heldBack: new Map(
      deliveries.flatMap((one) => {
        const reason = heldBackBy(model, one);
        return reason === undefined ? [] : [[one, reason] as const];
      }),
    ),
  };
};

/** Transition 9: each delivery of a parcel that crashed workers gets a parcel of its own. */
export const splitSuspects = (model: Model): void => {
  for (const parcel of model.parcels) {
    if (!isSuspect(parcel) || !parcel.isDue || parcel.deliveries.size <= 1) continue;
    model.parcels.delete(parcel);
    for (const one of parcel.deliveries) {
      if (parcel.isClaimed) goes(model, 9, one, 'waiting');
      pack(model, [one], { ...parcel, leasesLost: lostTogetherMax + 1, isDue: true });
    }
  }
};

/** Transition 10: a delivery during which so many workers crashed has failed. */
export const failCrashed = (model: Model): void => {
  for (const parcel of model.parcels) {
    const isLast = isSuspect(parcel) && parcel.isDue && parcel.isClaimed && parcel.leasesLost + 1 >= lostMax;
    if (!isLast || parcel.deliveries.size > 1) continue;
    model.parcels.delete(parcel);
    for (const delivery of parcel.deliveries) {
      goes(model, 10, delivery, 'failed');
      close(delivery, 'failed', 'crashed');
    }
  }
};
