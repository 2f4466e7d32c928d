import type { FeedbackSettlement } from '@leadback/delivery';
import { eventTooOld } from '@leadback/platforms';
import type { TimedAnswer } from './circuit.ts';
import { retryPauseMs } from './retry-pause.ts';

type Settlement = Omit<FeedbackSettlement, 'feedbackId'>;

export const skipped = (reason: string): Settlement => ({
  state: 'skipped',
  reason,
  retryInMs: null,
  attempt: null,
});

const settlementOf = ({ outcome }: TimedAnswer, attempts: number): Omit<Settlement, 'attempt'> => {
  switch (outcome.kind) {
    case 'delivered':
      return { state: 'delivered', reason: null, retryInMs: null };
    case 'rejected':
      return { state: outcome.reason === eventTooOld ? 'skipped' : 'failed', reason: outcome.reason, retryInMs: null };
    case 'unavailable':
      return { state: 'pending', reason: outcome.reason, retryInMs: retryPauseMs(attempts + 1, outcome.retryAfterMs) };
    case 'throttled':
      return { state: 'pending', reason: outcome.reason, retryInMs: retryPauseMs(1, outcome.retryAfterMs) };
    case 'refused':
      // due at once, in case the connection is fixed before the row is parked
      return { state: 'pending', reason: outcome.reason, retryInMs: 0 };
    case 'postponed':
      return { state: 'pending', reason: outcome.reason, retryInMs: outcome.retryAfterMs, isFree: true };
  }
};

/** `attempts`: the number before this one. */
export const settledBy = (answer: TimedAnswer, attempts: number, requestStatusAfterMs?: number): Settlement => {
  const { outcome, httpStatus, body, durationMs } = answer;
  const settlement = settlementOf(answer, attempts);
  if (outcome.kind === 'postponed') return { ...settlement, attempt: null };
  const request =
    outcome.kind === 'delivered' && outcome.request !== undefined && requestStatusAfterMs !== undefined
      ? { name: outcome.request, lookInMs: requestStatusAfterMs }
      : undefined;
  const attempt = { outcome: outcome.kind, reason: settlement.reason, httpStatus, answer: body, durationMs };
  return { ...settlement, attempt: request === undefined ? attempt : { ...attempt, request } };
};
