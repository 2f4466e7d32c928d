import type { FailedEvent, Failure, Outcome } from '@leadback/domain';

/** Why a platform did not take one event of a request. */
export interface ElementFailure {
  /** The position of the event in the request. */
  readonly index: number;
  readonly kind: Failure;
  readonly reason: string;
  readonly retryAfterMs?: number;
}

const isTemporary = ({ kind }: ElementFailure) => kind === 'unavailable' || kind === 'throttled';

const temporaryOutcome = (failures: readonly ElementFailure[], reason: string): FailedEvent['outcome'] => {
  const kind = failures.some((failure) => failure.kind === 'throttled') ? 'throttled' : 'unavailable';
  const retryAfterMs = Math.max(...failures.map((failure) => failure.retryAfterMs ?? 0));
  return retryAfterMs > 0 ? { kind, reason, retryAfterMs } : { kind, reason };
};

/**
 * The outcome of a request of which the platform processed nothing, because of these events. `sent`: the number of
 * events. Rejected events are named, and the worker sends the others again. If some events failed only for now, none is
 * named: the worker then sends the request in halves until each of them fails alone.
 */
export const outcomeOfUnprocessed = (failures: readonly ElementFailure[], sent: number): Outcome => {
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

/** A retry helps an event only if all of its failures are temporary. */
const outcomeOfEvent = (failures: readonly ElementFailure[]): FailedEvent['outcome'] => {
  const lasting = failures.find(({ kind }) => kind === 'refused') ?? failures.find((failure) => !isTemporary(failure));
  return lasting === undefined
    ? temporaryOutcome(failures, failures[0]?.reason ?? '')
    : { kind: lasting.kind, reason: lasting.reason };
};

/**
 * The outcome of a request that the platform processed: it accepted all events but these, and may not recognise one
 * that is sent twice. `sent`: the number of events.
 */
export const outcomeOfProcessed = (failures: readonly ElementFailure[], sent: number): Outcome => {
  const byEvent = Map.groupBy(failures, ({ index }) => index);
  if (byEvent.size === 0 || byEvent.size >= sent) return outcomeOfUnprocessed(failures, sent);
  return {
    kind: 'delivered',
    events: Array.from(byEvent, ([index, own]) => ({ index, outcome: outcomeOfEvent(own) })),
  };
};
