import type { Outcome } from '@leadback/domain';
import type { Answer } from '@leadback/platforms';
import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
} from 'cockatiel';

/** A response and how long the request took. */
export interface TimedResponse extends Answer {
  readonly durationMs: number;
  /** The request that was sent, if any. */
  readonly request?: {
    /** Its start, by `performance.now()`. */
    readonly since: number;
    /** How many. */
    readonly events: number;
    /** The version of the connection with whose settings it was sent. */
    readonly version: number;
  };
  /** What the platform was not told in full. */
  readonly eventNote?: string;
}

/**
 * Circuit breaker of one connection: while its platform fails or throttles, nothing is sent. While the quota is used up,
 * nothing is sent either, but the circuit is closed: the platform is well.
 */
export interface Circuit {
  /** Sends, or returns `postponed` if nothing may be sent. */
  send(request: () => Promise<TimedResponse>): Promise<TimedResponse>;
  isCircuitOpen(): boolean;
  /** Whether nothing is sent: the circuit is open, or the quota is used up. */
  isPaused(): boolean;
}

/** Each is called with the duration of the pause that begins. */
export interface CircuitListeners {
  /** The circuit opened. */
  readonly onOpen: (openMs: number) => void;
  /** The quota is used up. */
  readonly onQuotaUsedUp: (pauseMs: number) => void;
}

/** When the circuit opens, and for how long. */
export interface CircuitTuning {
  /** The number of latest requests that are evaluated. */
  readonly requests?: number;
  readonly requestsMin?: number;
  /** The share of them, 0 to 1, that must have failed. */
  readonly threshold?: number;
  /** The first pause; each further pause without a success in between is twice as long, up to `longestMs`. */
  readonly shortestMs?: number;
  readonly longestMs?: number;
}

const secondMs = 1_000;
const minuteMs = 60_000;
// if a platform requests a longer pause, a trial request is sent after this time
const requestedPauseMaxMs = 60 * minuteMs;
const rejectedPauseMs = 5 * secondMs;

/** A response that counts as a failure of the connection. */
class CountedFailure {
  readonly answer: TimedResponse;
  constructor(answer: TimedResponse) {
    this.answer = answer;
  }
}

/** Nothing was sent, so the response counts neither as a failure nor as a success. */
class NotSent extends Error {
  readonly answer: TimedResponse;
  constructor(answer: TimedResponse) {
    super('not sent');
    this.answer = answer;
  }
}

/** The result of an event that was not sent. */
export const unsent = (outcome: Outcome): TimedResponse => ({ outcome, httpStatus: null, body: null, durationMs: 0 });

export const postponed = (reason: string, retryAfterMs: number): TimedResponse =>
  unsent({ kind: 'postponed', reason, retryAfterMs });

/** Our own fault: retried, as if the platform were unavailable. */
export const internalError = (): TimedResponse => unsent({ kind: 'unavailable', reason: 'internal_error' });

export const createCircuit = ({ onOpen, onQuotaUsedUp }: CircuitListeners, tuning: CircuitTuning = {}): Circuit => {
  const { requests = 20, requestsMin = 10, threshold = 0.7 } = tuning;
  const { shortestMs = minuteMs / 2, longestMs = 15 * minuteMs } = tuning;
  let openUntil = 0;
  let quotaUsedUpUntil = 0;
  const remainingMs = () => Math.max(0, openUntil - performance.now());
  const quotaInMs = () => Math.max(0, quotaUsedUpUntil - performance.now());
  const open = (ms: number) => {
    if (ms <= remainingMs()) return;
    openUntil = performance.now() + ms;
    onOpen(ms);
  };
  const pauseForQuota = (ms: number) => {
    if (ms <= quotaInMs()) return;
    quotaUsedUpUntil = performance.now() + ms;
    onQuotaUsedUp(ms);
  };

  const breaker = circuitBreaker(
    handleWhenResult((result) => result instanceof CountedFailure),
    {
      breaker: new CountBreaker({ size: requests, minimumNumberOfCalls: requestsMin, threshold }),
      halfOpenAfter: new DelegateBackoff(({ attempt }: { readonly attempt: number }) => {
        const ms = Math.min(longestMs, shortestMs * 2 ** (attempt - 1));
        open(ms);
        return ms;
      }),
    },
  );

  const judged = (answer: TimedResponse): TimedResponse | CountedFailure => {
    const { kind } = answer.outcome;
    // in the half-open state only a request that was sent may close the circuit
    if (kind === 'postponed' && breaker.state !== CircuitState.HalfOpen) throw new NotSent(answer);
    return kind === 'unavailable' || kind === 'throttled' || kind === 'postponed' ? new CountedFailure(answer) : answer;
  };

  const execute = async (request: () => Promise<TimedResponse>): Promise<TimedResponse> => {
    try {
      const result = await breaker.execute(async () => judged(await request()));
      return result instanceof CountedFailure ? result.answer : result;
    } catch (error) {
      if (error instanceof NotSent) return error.answer;
      if (error instanceof BrokenCircuitError) return postponed('connection_rests', remainingMs() || secondMs);
      throw error;
    }
  };

  return {
    isCircuitOpen: () => remainingMs() > 0,
    isPaused: () => remainingMs() > 0 || quotaInMs() > 0,
    async send(request) {
      if (remainingMs() > 0) return postponed('connection_rests', remainingMs());
      if (quotaInMs() > 0) return postponed('quota', quotaInMs());
      const answer = await execute(request);
      const { outcome } = answer;
      // long enough to save that the connection needs attention
      if (outcome.kind === 'refused') open(rejectedPauseMs);
      if ('retryAfterMs' in outcome) {
        const pauseMs = Math.min(outcome.retryAfterMs ?? 0, requestedPauseMaxMs);
        // what reaches a platform and is postponed with a pause has met its quota
        if (outcome.kind === 'postponed') pauseForQuota(pauseMs);
        else open(pauseMs);
      }
      return answer;
    },
  };
};
