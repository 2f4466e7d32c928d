import { deliveriesOf, goes, type Model, type ModelConnection, type ModelDelivery, pack } from './model.ts';

const isRetriable = ({ state, connection }: ModelDelivery) =>
  (state === 'failed' || state === 'skipped') && connection.state === 'active';

/** Those that follow a conversion if it is sent again. */
const isFollowing = ({ state, reason }: ModelDelivery) =>
  state === 'delivered' || (state === 'skipped' && reason === 'original_not_delivered');

/** Transition 11: an operator retries deliveries. Returns all that are pending by it. */
export const retry = (model: Model, named: readonly ModelDelivery[]): ModelDelivery[] => {
  const retriable = named.filter(isRetriable);
  const followers = retriable.flatMap((original) =>
    original.adjustment
      ? []
      : deliveriesOf(model, original.sale, original.connection).flatMap((one) =>
          one.adjustment ? [{ original, one }] : [],
        ),
  );
  // a worker that sends an adjustment now would not wait for its conversion
  const leftAlone = new Set(followers.flatMap(({ original, one }) => (one.parcel?.isClaimed ? [original] : [])));
  const retried = new Set([
    ...retriable.filter((one) => !leftAlone.has(one)),
    ...followers.flatMap(({ original, one }) => (!leftAlone.has(original) && isFollowing(one) ? [one] : [])),
  ]);

  // those that wait leave in new parcels: a claim that began before finds nothing
  const waiting = new Set(followers.flatMap(({ one }) => (one.parcel && !one.parcel.isClaimed ? [one.parcel] : [])));
  for (const parcel of waiting) {
    model.parcels.delete(parcel);
    pack(model, [...parcel.deliveries], parcel);
  }

  for (const delivery of retried) {
    goes(model, 11, delivery, 'waiting');
    delivery.reason = null;
    delivery.isOld = false;
    delivery.copiesMax += 1;
  }
  const byConnection = new Map<ModelConnection, ModelDelivery[]>();
  for (const one of retried) byConnection.set(one.connection, [...(byConnection.get(one.connection) ?? []), one]);
  for (const [connection, deliveries] of byConnection) {
    pack(model, deliveries, { connection, claim: 1, leasesLost: 0, isDue: true });
  }
  return [...retried];
};
