import { type AttemptOutcome, eventTooOld, type FeedbackState, type Outcome } from '@leadback/domain';
import { retryPauseMs } from './retry-pause.ts';

/** The state of a delivery after its claim. `retryInMs` and `isCounted` belong to `pending`. */
export interface NextState {
  readonly state: FeedbackState;
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
