import { type ClaimedDelivery, nextState, type NextState, type SettledDeliveries } from '@leadback/delivery';
import type { TimedAnswer } from './circuit.ts';

/** What happened to one delivery: an answer of the platform, or why nothing was sent. */
export type Happened = { readonly answer: TimedAnswer } | { readonly next: NextState };

// deliveries of one request share its answer, and so the time of their retry: they stay together
const nextStates = new WeakMap<TimedAnswer, Map<number, NextState>>();

const nextStateOf = (answer: TimedAnswer, attempts: number): NextState => {
  const known = nextStates.get(answer) ?? new Map<number, NextState>();
  nextStates.set(answer, known);
  const next = known.get(attempts) ?? nextState(answer.outcome, attempts);
  known.set(attempts, next);
  return next;
};

const settledBy = (
  happened: Happened,
  next: NextState,
  statusAfterMs: number | undefined,
): Omit<SettledDeliveries, 'feedbackIds'> => {
  if ('next' in happened) return { ...next, attempt: null };
  const { outcome, httpStatus, body, durationMs } = happened.answer;
  if (outcome.kind === 'postponed') return { ...next, attempt: null };
  const attempt = { outcome: outcome.kind, reason: next.reason, httpStatus, answer: body, durationMs };
  if (outcome.kind !== 'delivered' || outcome.request === undefined || statusAfterMs === undefined) {
    return { ...next, attempt };
  }
  return { ...next, attempt: { ...attempt, request: { name: outcome.request, lookInMs: statusAfterMs } } };
};

/**
 * What is saved of a parcel: deliveries to which the same happened are one. `statusAfterMs`: when to check the status
 * of a request first, if the platform reports one.
 */
export const settledDeliveries = (
  happened: readonly (readonly [Pick<ClaimedDelivery, 'feedbackId' | 'attempts'>, Happened])[],
  statusAfterMs: number | undefined,
): SettledDeliveries[] => {
  const groups = new Map<unknown, Omit<SettledDeliveries, 'feedbackIds'> & { readonly feedbackIds: number[] }>();
  for (const [{ feedbackId, attempts }, one] of happened) {
    const next = 'answer' in one ? nextStateOf(one.answer, attempts) : one.next;
    const key = 'answer' in one ? next : `${next.reason} ${next.retryInMs}`;
    const group = groups.get(key) ?? { ...settledBy(one, next, statusAfterMs), feedbackIds: [] };
    group.feedbackIds.push(feedbackId);
    groups.set(key, group);
  }
  return [...groups.values()];
};
