import type { MatchKeySet } from '@leadback/domain';
import {
  type ClaimedDelivery,
  nextState,
  type NextState,
  type SettledDeliveries,
  type Tries,
} from '@leadback/delivery';
import type { TimedAnswer } from './circuit.ts';

/** What happened to one delivery: an answer of the platform, or why nothing was sent. */
export type Happened = { readonly answer: TimedAnswer } | { readonly next: NextState };

// deliveries of one request share its answer, and so the time of their retry: they stay together
const nextStates = new WeakMap<TimedAnswer, Map<string, NextState>>();

const nextStateOf = (answer: TimedAnswer, tries: Tries): NextState => {
  const known = nextStates.get(answer) ?? new Map<string, NextState>();
  nextStates.set(answer, known);
  const key = `${tries.attempts} ${tries.throttled}`;
  const next = known.get(key) ?? nextState(answer.outcome, tries);
  known.set(key, next);
  return next;
};

type Alike = Omit<SettledDeliveries, 'feedbackIds' | 'matchKeys'>;

interface Group extends Alike {
  readonly feedbackIds: number[];
  readonly matchKeys: (MatchKeySet | null)[];
}

export interface TriedDelivery extends Pick<ClaimedDelivery, 'feedbackId'>, Tries {
  /** Missing: no event was built. */
  readonly matchKeys?: MatchKeySet;
}

const settledBy = (happened: Happened, next: NextState, statusAfterMs: number | undefined): Alike => {
  if ('next' in happened) return { ...next, attempt: null };
  const { outcome, httpStatus, body, durationMs, eventNote, request } = happened.answer;
  const told = { eventNote, sentVersion: request?.version };
  if (outcome.kind === 'postponed') return { ...next, attempt: null };
  const attempt = { outcome: outcome.kind, reason: next.reason, httpStatus, answer: body, durationMs };
  if (outcome.kind !== 'delivered' || outcome.request === undefined || statusAfterMs === undefined) {
    return { ...next, attempt, ...told };
  }
  return { ...next, attempt: { ...attempt, request: { name: outcome.request, lookInMs: statusAfterMs } }, ...told };
};

/**
 * What is saved of a parcel: deliveries to which the same happened are one. `statusAfterMs`: when to check the status
 * of a request first, if the platform reports one.
 */
export const settledDeliveries = (
  happened: readonly (readonly [TriedDelivery, Happened])[],
  statusAfterMs: number | undefined,
): SettledDeliveries[] => {
  const groups = new Map<unknown, Group>();
  for (const [{ feedbackId, matchKeys = null, ...tries }, one] of happened) {
    const next = 'answer' in one ? nextStateOf(one.answer, tries) : one.next;
    const key = 'answer' in one ? next : `${next.reason} ${next.retryInMs}`;
    const group = groups.get(key) ?? { ...settledBy(one, next, statusAfterMs), feedbackIds: [], matchKeys: [] };
    group.feedbackIds.push(feedbackId);
    group.matchKeys.push(matchKeys);
    groups.set(key, group);
  }
  return [...groups.values()];
};
