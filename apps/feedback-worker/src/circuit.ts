import type { Answer } from '@leadback/platforms';
import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
} from 'cockatiel';

/** An answer and how long it was waited for. */
export interface TimedAnswer extends Answer {
  readonly durationMs: number;
  /** The request that it answers, where one was sent: when, by `performance.now()`, and with how many events. */
  readonly request?: { readonly since: number; readonly events: number };
}

/** Guards the way to one connection's platform: while that is in trouble, or asks for fewer requests, nothing is sent. */
export interface Circuit {
  /** Sends, or gives `postponed` where nothing should be sent now. */
  send(request: () => Promise<TimedAnswer>): Promise<TimedAnswer>;
  isCircuitOpen(): boolean;
}

/** How often requests must fail before a connection rests, and for how long. */
export interface CircuitTuning {
  /** Of the latest requests so many are looked at. */
  readonly requests?: number;
  readonly requestsMin?: number;
  /** The part of them that must have failed. */
  readonly threshold?: number;
  /** The first rest; each that follows without a success between is twice as long, up to the longest. */
  readonly shortestMs?: number;
  readonly longestMs?: number;
}

const secondMs = 1_000;
const minuteMs = 60_000;
// a platform that asks for a longer pause is asked again then
const askedRestMaxMs = 60 * minuteMs;
const refusedRestMs = 5 * secondMs;

/** An answer that counts against the connection. */
class Trouble {
  readonly answer: TimedAnswer;
  constructor(answer: TimedAnswer) {
    this.answer = answer;
  }
}

/** An answer to nothing, which says nothing of the connection. */
class NotSent extends Error {
  readonly answer: TimedAnswer;
  constructor(answer: TimedAnswer) {
    super('not sent');
    this.answer = answer;
  }
}

/** `postponed`, as an answer to nothing. */
export const postponed = (reason: string, retryAfterMs: number): TimedAnswer => ({
  outcome: { kind: 'postponed', reason, retryAfterMs },
  httpStatus: null,
  body: null,
  durationMs: 0,
});

/** `onRest` hears of every rest and how long it is. */
export const createCircuit = (onRest: (restMs: number) => void, tuning: CircuitTuning = {}): Circuit => {
  const { requests = 20, requestsMin = 10, threshold = 0.7 } = tuning;
  const { shortestMs = minuteMs / 2, longestMs = 15 * minuteMs } = tuning;
  let restsUntil = 0;
  const restMs = () => Math.max(0, restsUntil - Date.now());
  const rest = (ms: number) => {
    if (ms <= restMs()) return;
    restsUntil = Date.now() + ms;
    onRest(ms);
  };

  const breaker = circuitBreaker(
    handleWhenResult((result) => result instanceof Trouble),
    {
      breaker: new CountBreaker({ size: requests, minimumNumberOfCalls: requestsMin, threshold }),
      halfOpenAfter: new DelegateBackoff(({ attempt }: { readonly attempt: number }) => {
        const ms = Math.min(longestMs, shortestMs * 2 ** (attempt - 1));
        rest(ms);
        return ms;
      }),
    },
  );

  const judged = (answer: TimedAnswer): TimedAnswer | Trouble => {
    const { kind } = answer.outcome;
    // the trial after a rest must have been sent to end it
    if (kind === 'postponed' && breaker.state !== CircuitState.HalfOpen) throw new NotSent(answer);
    return kind === 'unavailable' || kind === 'throttled' || kind === 'postponed' ? new Trouble(answer) : answer;
  };

  const execute = async (request: () => Promise<TimedAnswer>): Promise<TimedAnswer> => {
    try {
      const result = await breaker.execute(async () => judged(await request()));
      return result instanceof Trouble ? result.answer : result;
    } catch (error) {
      if (error instanceof NotSent) return error.answer;
      if (error instanceof BrokenCircuitError) return postponed('connection_rests', restMs() || secondMs);
      throw error;
    }
  };

  return {
    isCircuitOpen: () => restMs() > 0,
    async send(request) {
      if (restMs() > 0) return postponed('connection_rests', restMs());
      const answer = await execute(request);
      // until it is written down that the connection needs attention
      if (answer.outcome.kind === 'refused') rest(refusedRestMs);
      if ('retryAfterMs' in answer.outcome) rest(Math.min(answer.outcome.retryAfterMs ?? 0, askedRestMaxMs));
      return answer;
    },
  };
};
