import type { ModelClaim } from './claims.ts';
import { close, goes, type Model, type ModelDelivery, type ModelParcel, pack } from './model.ts';

/** What happened to a delivery of a claim: what the platform told its worker, or why it was not sent. */
export type Happened =
  | 'delivered'
  | 'rejected'
  | 'too old'
  | 'unavailable'
  | 'throttled'
  | 'refused'
  | 'not sent'
  | 'held back'
  | 'skipped';

export interface ModelOutcome {
  readonly delivery: ModelDelivery;
  readonly happened: Happened;
  readonly reason: string | null;
  /** Deliveries with the same pause are packed together. */
  readonly retryInMs: number | null;
}

const isAttempt = (happened: Happened) => !['not sent', 'held back', 'skipped'].includes(happened);
const isCounted = (happened: Happened) => isAttempt(happened) && happened !== 'throttled';

const closedAs = {
  delivered: 'delivered',
  rejected: 'failed',
  'too old': 'skipped',
  skipped: 'skipped',
} as const;

const isClosing = (happened: Happened): happened is keyof typeof closedAs => happened in closedAs;

const isTooLate = ({ happened, delivery }: ModelOutcome) =>
  (happened === 'unavailable' || happened === 'throttled') && delivery.isOld && !delivery.connection.isResumed;

/** Transition 8: an earlier claim can only report that the platform accepted an event. */
const settleLate = (model: Model, outcomes: readonly ModelOutcome[]): void => {
  for (const { delivery, happened } of outcomes) {
    if (happened !== 'delivered' || delivery.state === 'delivered') continue;
    delivery.attempts += 1;
    goes(model, 8, delivery, 'delivered');
    close(delivery, 'delivered', null);
  }
};

/** Transitions 4 to 7. */
const settleLast = (model: Model, parcel: ModelParcel, outcomes: readonly ModelOutcome[]): void => {
  model.parcels.delete(parcel);
  const again = new Map<string, ModelOutcome[]>();
  for (const outcome of outcomes) {
    const { delivery, happened, reason, retryInMs } = outcome;
    if (delivery.parcel !== parcel) {
      settleLate(model, [outcome]); // it was closed meanwhile
      continue;
    }
    if (isCounted(happened)) delivery.attempts += 1;
    if (happened === 'throttled') delivery.throttled += 1;
    const closed = isClosing(happened) ? closedAs[happened] : isTooLate(outcome) ? 'failed' : undefined;
    if (closed) {
      goes(model, 4, delivery, closed);
      close(delivery, closed, isClosing(happened) ? reason : `retries_exhausted: ${reason}`);
    } else {
      goes(model, happened === 'refused' ? 7 : isAttempt(happened) ? 5 : 6, delivery, 'waiting');
      delivery.reason = reason;
      const together = `${retryInMs} ${isAttempt(happened) && parcel.leasesLost > 0}`;
      again.set(together, [...(again.get(together) ?? []), outcome]);
    }
  }
  const { connection, claim } = parcel;
  for (const alike of again.values()) {
    const hasSurvived = alike.some(({ happened }) => isAttempt(happened)); // there was a response, and it is saved
    const leasesLost = hasSurvived ? 0 : parcel.leasesLost;
    const isDue = alike.some(({ retryInMs }) => retryInMs === 0);
    const deliveries = alike.map(({ delivery }) => delivery);
    pack(model, deliveries, { connection, claim, leasesLost, isDue });
  }
};

/** What a settlement changes. Only the last claim of a parcel that is still open decides. */
export const settle = (model: Model, claim: ModelClaim, outcomes: readonly ModelOutcome[]): void => {
  const { parcel } = claim;
  const isLast = model.parcels.has(parcel) && parcel.isClaimed && parcel.claim === claim.claim;
  if (!isLast) return settleLate(model, outcomes);
  settleLast(model, parcel, outcomes);
  const { connection } = parcel;
  const isRejected = outcomes.some(({ happened }) => happened === 'refused');
  if (isRejected && connection.state === 'active' && connection.version === claim.version)
    connection.state = 'needs_attention';
};
