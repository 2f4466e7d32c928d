import type { Failure, Outcome } from '@leadback/domain';

/** Why a platform did not take one event of a request. */
export interface ElementFailure {
  /** The position of the event in the request. */
  readonly index: number;
  readonly kind: Failure;
  readonly reason: string;
  readonly retryAfterMs?: number;
}

const isTemporary = ({ kind }: ElementFailure) => kind === 'unavailable' || kind === 'throttled';

const temporaryOutcome = (failures: readonly ElementFailure[], reason: string): Outcome => {
  const kind = failures.some((failure) => failure.kind === 'throttled') ? 'throttled' : 'unavailable';
  const retryAfterMs = Math.max(...failures.map((failure) => failure.retryAfterMs ?? 0));
  return retryAfterMs > 0 ? { kind, reason, retryAfterMs } : { kind, reason };
};

/**
 * The outcome of a request whose events a platform takes or fails one by one. `sent`: the number of events. A rejected
 * event is named, and the others are sent again, which the platform must take as a repeat. If some events failed only
 * for now, none is named: the worker then sends the request in halves until each of them fails alone.
 */
export const outcomeOfFailures = (failures: readonly ElementFailure[], sent: number): Outcome => {
  const [first] = failures;
  if (first === undefined) return { kind: 'delivered' };
  const refused = failures.find(({ kind }) => kind === 'refused');
  if (refused !== undefined) return { kind: 'refused', reason: refused.reason };

  const rejected = failures.filter((failure) => !isTemporary(failure));
  const [wrong] = rejected;
  if (wrong !== undefined) {
    const reasons = new Map<number, string>();
    for (const { index, reason } of rejected) if (!reasons.has(index)) reasons.set(index, reason);
    return {
      kind: 'rejected',
      reason: wrong.reason,
      events: Array.from(reasons, ([index, reason]) => ({ index, reason })),
    };
  }
  const failed = new Set(failures.map(({ index }) => index));
  return failed.size < sent ? { kind: 'rejected', reason: first.reason } : temporaryOutcome(failures, first.reason);
};
