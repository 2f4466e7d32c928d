import type { Failure, FailedEvent, Outcome } from '@leadback/domain';

/** How an operator fixes a rejected connection. */
export interface Remedy {
  /** Why the platform rejects the connection and how to fix it, in full sentences. */
  readonly words: string;
  /** The settings and credentials to enter again after the fix. */
  readonly change: readonly string[];
  /** Alternative kinds of credentials, of which the connection has one; that one is entered again as well. */
  readonly credentials?: readonly string[];
}

/** The meaning of an error code. A code that rejects the connection is listed with its remedy, so none lacks one. */
export type CodeMeaning = Exclude<Failure, 'refused'> | Remedy;

/** Everything that is known about a platform's error codes. */
export interface Codes {
  /** By code, as the platform writes it. */
  readonly table: Readonly<Record<string, CodeMeaning>>;
  /** Finds the meaning of a stored reason, which begins with the code. */
  meaningOf(reason: string): CodeMeaning | undefined;
  /** For rejections whose code is not in the table. */
  readonly otherRemedy: Remedy;
  /** What it means if `connection check` is rejected with this code, in full sentences. Missing: nothing in particular. */
  readonly rejectedChecks?: Readonly<Record<string, string>>;
}

/** Codes that mean the same, for a table. */
export const each = (codes: readonly number[], meaning: CodeMeaning): Codes['table'] =>
  Object.fromEntries(codes.map((code) => [code, meaning]));

export const isRemedy = (meaning: CodeMeaning | undefined): meaning is Remedy => typeof meaning === 'object';

export const verdictOf = (meaning: CodeMeaning | undefined): Failure | undefined =>
  isRemedy(meaning) ? 'refused' : meaning;

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

/** Visits every string inside a value, at any depth. */
export const eachString = (value: unknown, visit: (text: string) => void): void => {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) eachString(inner, visit);
  }
};
