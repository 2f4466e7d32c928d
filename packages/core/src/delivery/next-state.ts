import { type AttemptOutcome, eventTooOld, type DeliveryState, type HeldReason, type Outcome } from '@leadback/domain';
import type { ClaimedAdjustmentDelivery, FormerSettings } from './claim.ts';

const shortestMs = 10_000;
const longestMs = 6 * 60 * 60 * 1000;

/**
 * Exponential back-off with full jitter, 10 s to 6 h; at least `askedMs`, which the platform requested, within the same
 * bounds. `attempts` includes the one that just failed.
 */
export const retryPauseMs = (attempts: number, askedMs = 0, random: () => number = Math.random): number => {
  const ceilingMs = Math.min(longestMs, shortestMs * 2 ** attempts);
  const drawnMs = shortestMs + random() * (ceilingMs - shortestMs);
  return Math.round(Math.min(longestMs, Math.max(drawnMs, askedMs)));
};

/** The state of a delivery after its claim. `retryInMs` and `isCounted` belong to `pending`. */
export interface NextState {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly retryInMs: number | null;
  /** Whether it is one of `attempts`. */
  readonly isCounted: boolean;
}

/** An attempt, as it is kept with its delivery. */
export interface AttemptRecord {
  readonly outcome: Exclude<AttemptOutcome, 'requeued'>;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  /** At most 2 KB, without secrets and personal data. */
  readonly answer: string | null;
  readonly durationMs: number;
  /** The platform's id of the request, and when to check its status first; only if the platform reports one. */
  readonly request?: { readonly name: string; readonly lookInMs: number };
}

// a delivery that was not sent may be taken by another worker soon, even if this one waits longer
const freeAfterMaxMs = 30_000;

const closed = (state: 'delivered' | 'failed' | 'skipped', reason: string | null): NextState => ({
  state,
  reason,
  retryInMs: null,
  isCounted: true,
});

const waiting = (reason: string, retryInMs: number, isCounted = true): NextState => ({
  state: 'pending',
  reason,
  retryInMs,
  isCounted,
});

/** Nothing was sent, because there is nothing to send. */
export const skipped = (reason: string): NextState => ({ ...closed('skipped', reason), isCounted: false });

/** Nothing was sent: it waits, without an attempt. */
export const postponed = (reason: string, retryInMs: number): NextState => waiting(reason, retryInMs, false);

/** How often a delivery was tried before. Each count has a back-off of its own: throttling says nothing of the event. */
export interface Tries {
  /** Without those that were throttled. */
  readonly attempts: number;
  readonly throttled: number;
}

/** Transitions 4 to 7. */
export const nextState = (outcome: Outcome, { attempts, throttled }: Tries): NextState => {
  switch (outcome.kind) {
    case 'delivered':
      return closed('delivered', null);
    case 'rejected':
      return closed(outcome.reason === eventTooOld ? 'skipped' : 'failed', outcome.reason);
    case 'unavailable':
      return waiting(outcome.reason, retryPauseMs(attempts + 1, outcome.retryAfterMs));
    case 'throttled':
      return waiting(outcome.reason, retryPauseMs(throttled + 1, outcome.retryAfterMs), false);
    case 'refused':
      // due at once, in case the connection is fixed before its state is saved
      return waiting(outcome.reason, 0);
    case 'postponed':
      return postponed(outcome.reason, Math.min(outcome.retryAfterMs, freeAfterMaxMs));
  }
};

const heldShortestMs = 5_000;
const heldLongestMs = 10 * 60_000;

/** The reason of an adjustment whose conversion the platform does not have. */
export const originalNotDelivered = 'original_not_delivered';
const originalUncertain = 'original_uncertain';
const originalSentElsewhere = 'original_sent_elsewhere';

/** The reasons of adjustments that were skipped because of their conversion: they follow it if that is retried. */
export const skippedForOriginal = [originalNotDelivered, originalUncertain, originalSentElsewhere] as const;

/** What an adjustment is at the platform of its connection. */
export interface AdjustingRules {
  /** Whether the last one counts. If not, each adds to those before, in any order. */
  readonly overwrite: boolean;
  /** Whether the platform reports later if it used an event. */
  readonly areConfirmed: boolean;
  /** Whether the conversion is not where the adjustment would go, if it was sent with these settings. */
  readonly wentElsewhere: (former: FormerSettings) => boolean;
}

/**
 * The next state of a delivery that must not be sent, because of what was told to its connection before or is told
 * after; undefined if it may be sent. The pauses grow with the time that it has waited.
 */
export const heldBack = (
  { others, createdAtMs }: Pick<ClaimedAdjustmentDelivery, 'others' | 'createdAtMs'>,
  atMs: number,
  { overwrite, areConfirmed, wentElsewhere }: AdjustingRules,
): NextState | undefined => {
  const { original, isOriginalConfirmed, formerSettings } = others;
  const pauseMs = Math.min(heldLongestMs, Math.max(heldShortestMs, (atMs - createdAtMs) / 4));
  const held = (reason: HeldReason) => postponed(reason, pauseMs);
  if (overwrite && others.isSuperseded) return skipped('superseded');
  if (original === 'pending') return held('original_pending');
  if (original === null) return skipped(originalUncertain);
  if (original !== 'delivered') return skipped(originalNotDelivered);
  if (others.isOriginalUnconfirmed) return held('original_unconfirmed');
  if (areConfirmed && isOriginalConfirmed !== true) return skipped(originalUncertain);
  if (formerSettings !== null && wentElsewhere(formerSettings)) return skipped(originalSentElsewhere);
  return overwrite && others.isAdjustmentOpen ? held('earlier_adjustment_pending') : undefined;
};
