import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, DeliverableEvent } from '@leadback/domain';
import type {
  PlatformResponse,
  PlatformEvent,
  PlatformAccess,
  Platform,
  Prepared,
  SendingMode,
} from '@leadback/platforms';
import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
} from 'cockatiel';
import type { DeliveryConnection } from '@leadback/core/connections/open';
import { batch } from '@leadback/db/batch';
import type { WorkerEvents } from './events.ts';

/** A response and how long the request took. */
export interface TimedResponse extends PlatformResponse {
  readonly durationMs: number;
  /** The request that was sent, if any. */
  readonly request?: {
    /** Its start, by `performance.now()`. */
    readonly since: number;
    /** The position of each event in it. */
    readonly positions: ReadonlyMap<PlatformEvent, number>;
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
interface Circuit {
  /** Sends, or returns `postponed` if nothing may be sent. */
  send(request: () => Promise<TimedResponse>): Promise<TimedResponse>;
  isCircuitOpen(): boolean;
  /** Whether nothing is sent: the circuit is open, or the quota is used up. */
  isPaused(): boolean;
}

/** Each is called with the duration of the pause that begins. */
interface CircuitListeners {
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

const postponed = (reason: string, retryAfterMs: number): TimedResponse =>
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

type Send = (events: readonly PlatformEvent[]) => Promise<TimedResponse>;

// together with the longest request before and after, shorter than a lease
const splitMaxMs = 20_000;

const notSplitInTime = postponed('request rejected because of other events; retrying', 10_000);

/**
 * Returns a function that gives the answer to a request its outcome for one event. Equal outcomes share an answer, so
 * that their retries stay together.
 */
const responseOfEvent = (answer: TimedResponse) => {
  const answers = new Map<string, TimedResponse>();
  return (outcome: Outcome): TimedResponse => {
    const key = JSON.stringify(outcome);
    const shared = answers.get(key) ?? { ...answer, outcome };
    answers.set(key, shared);
    return shared;
  };
};

/**
 * Sends all events and returns one result each. Events that a platform accepted are not sent again, and those of the
 * same request that it did not accept have their own results. If a platform rejects a whole request because of some
 * events, the others are sent again without those that it names, or in halves until each invalid event is alone. Events
 * that could not be separated in time are postponed.
 */
export const sendBisecting = async (
  send: Send,
  events: readonly PlatformEvent[],
  until = performance.now() + splitMaxMs,
): Promise<TimedResponse[]> => {
  const answer = await send(events);
  const { outcome } = answer;
  const answerOf = responseOfEvent(answer);
  if (outcome.kind === 'delivered' && (outcome.events ?? outcome.warnings) !== undefined) {
    const { events: notAccepted = [], warnings = [], ...accepted } = outcome;
    const failed = new Map(notAccepted.map((event) => [event.index, event.outcome]));
    const warned = new Map(warnings.map(({ index, warning }) => [index, warning]));
    const acceptedAt = (index: number): Outcome => {
      const warning = [warned.get(index), accepted.warning].filter(Boolean).join('. ');
      return warning === '' ? accepted : { ...accepted, warning };
    };
    return events.map((_, index) => answerOf(failed.get(index) ?? acceptedAt(index)));
  }
  if (outcome.kind !== 'rejected' || events.length === 1) return events.map(() => answer);
  if (performance.now() > until) return events.map(() => notSplitInTime);

  const wrong = new Map((outcome.events ?? []).map(({ index, reason }) => [index, reason]));
  if (wrong.size > 0) {
    const others = events.filter((_, index) => !wrong.has(index));
    const answers = others.length > 0 ? await sendBisecting(send, others, until) : [];
    return events.map((_, index) => {
      const reason = wrong.get(index);
      if (reason !== undefined) return answerOf({ kind: 'rejected', reason });
      return answers.shift() ?? answer;
    });
  }
  const half = Math.ceil(events.length / 2);
  // sequentially: an account with only invalid events must not use up the capacity of others
  const first = await sendBisecting(send, events.slice(0, half), until);
  return [...first, ...(await sendBisecting(send, events.slice(half), until))];
};

/**
 * Sends events with different keys one after the other in requests of their own, so that each result is about one kind.
 * Returns one result per event, in order. `send` must begin no splitting after `until`, by `performance.now()`; events
 * whose turn comes later are postponed.
 */
const sendByKey = async (
  events: readonly PlatformEvent[],
  keyOf: PlatformAccess['requestKeyOf'],
  send: (part: readonly PlatformEvent[], until: number) => Promise<readonly TimedResponse[]>,
): Promise<readonly TimedResponse[]> => {
  const until = performance.now() + splitMaxMs;
  if (keyOf === undefined) return send(events, until);
  const late = postponed('claimed_too_long', 0);
  const parts = Map.groupBy(events.entries(), ([, event]) => keyOf(event));
  const answers: TimedResponse[] = [];
  for (const part of parts.values()) {
    const ofPart =
      performance.now() > until
        ? []
        : await send(
            part.map(([, event]) => event),
            until,
          );
    for (const [place, [index]] of part.entries()) answers[index] = ofPart[place] ?? late;
  }
  return answers;
};

// one or two wrong events come together now and then
const unknownInRowMax = 3;
// of the time that a lease leaves after the longest splitting
const checkMaxMs = 5_000;

const isDelivered = ({ outcome }: TimedResponse): boolean => outcome.kind === 'delivered';

/**
 * Returns a function that takes the rejections of events for rejections of the connection where a platform, for one reason whose
 * meaning is unknown, rejects all events of a request that was bisected, or several events in a row: it is more likely that a setting
 * is wrong, and a connection that waits loses nothing. One event that passes ends the row. `works`: whether the platform takes an event
 * of our own, which decides: then it is the events that are wrong.
 */
export const doubtingConnection = (meaningOf: Platform['codes']['meaningOf'], works: () => Promise<boolean>) => {
  const none = { code: '', events: 0 };
  let row = none;
  const unknownCode = ({ outcome, httpStatus }: TimedResponse): string | undefined => {
    // some platforms reject with 200 and a code of their own
    const isAnswered = httpStatus !== null && httpStatus < 500;
    if (outcome.kind !== 'rejected' || !isAnswered || meaningOf(outcome.reason) !== undefined) return undefined;
    return outcome.reason.split(':', 1)[0];
  };
  return async (answers: readonly TimedResponse[]): Promise<readonly TimedResponse[]> => {
    if (answers.some(isDelivered)) row = none;
    const codes = answers.map(unknownCode);
    const [code, ...others] = new Set(codes.filter((one) => one !== undefined));
    if (code === undefined || others.length > 0 || answers.some(isDelivered)) return answers;
    const { length } = codes.filter((one) => one === code);
    row = { code, events: length + (row.code === code ? row.events : 0) };
    const isWhole = length > 1 && length === answers.length;
    if (!isWhole && row.events < unknownInRowMax) return answers;
    if (await works()) {
      row = none;
      return answers;
    }
    return answers.map((answer, index) =>
      codes[index] === code && answer.outcome.kind === 'rejected'
        ? { ...answer, outcome: { kind: 'refused', reason: answer.outcome.reason } }
        : answer,
    );
  };
};

/** Events that are sent in one request, perhaps with others. */
interface TimedEvents {
  readonly events: readonly PlatformEvent[];
  /** They are sent before, by `performance.now()`, or not at all. */
  readonly until: number;
}

/** Waits until the account may make one more request; the returned function ends it. */
type EnterRoom = () => Promise<() => void>;

interface Options {
  readonly send: (events: readonly PlatformEvent[], waitMs: number | undefined) => Promise<readonly TimedResponse[]>;
  readonly enterRoom: EnterRoom | undefined;
  readonly stopping: AbortSignal;
}

/**
 * Returns a function that sends events together, once the account may make a request. Those whose time is over by then
 * are postponed: they could not be sent before another worker may claim their deliveries.
 */
const sendingInTime =
  ({ send, enterRoom, stopping }: Options) =>
  async (items: readonly TimedEvents[], waitMs: number | undefined): Promise<(readonly TimedResponse[])[]> => {
    const leaveRoom = stopping.aborted ? undefined : await enterRoom?.();
    try {
      const now = performance.now();
      const timely = items.flatMap(({ events, until }) => (now <= until ? events : []));
      const answers = timely.length > 0 ? await send(timely, waitMs) : [];
      const late = postponed('claimed_too_long', 0);
      let next = 0;
      return items.map(({ events, until }) =>
        now <= until ? answers.slice(next, (next += events.length)) : events.map(() => late),
      );
    } finally {
      leaveRoom?.();
    }
  };

/** Sends the events of one connection, as it was configured in one version. */
export interface Sender {
  /** That version. */
  readonly version: number;
  /** `atMs`: the current time by PostgreSQL's clock. */
  prepare(mode: SendingMode, event: DeliverableEvent, atMs: number): Prepared;
  /** Missing: the platform is told of no adjustments. */
  adjustments(mode: SendingMode): PlatformAccess['adjustments'];
  /** Returns one result per event, in order; never throws. `until`: no request begins later, by `performance.now()`. */
  send(mode: SendingMode, events: readonly PlatformEvent[], until: number): Promise<readonly TimedResponse[]>;
  isCircuitOpen(): boolean;
  /** Whether nothing is sent for now: the circuit is open, or the quota is used up. */
  isPaused(): boolean;
  /** Whether a request takes long, so that more events would only wait. */
  isSlow(): boolean;
}

export interface SenderOptions {
  readonly connection: Pick<DeliveryConnection, 'id' | 'platform' | 'version'>;
  readonly limits: Pick<Platform['limits'], 'eventsMax' | 'requestsMax'>;
  /** The meaning of a platform's reasons. Undefined: an unknown rejection is never one of the connection. */
  readonly meaningOf?: Platform['codes']['meaningOf'] | undefined;
  /** Default: at once. */
  readonly enterRoom?: EnterRoom | undefined;
  readonly accessOf: (mode: SendingMode) => PlatformAccess;
  readonly events: Pick<WorkerEvents, 'platformAnswered' | 'circuitOpened' | 'deliveryFailed' | 'quotaSlot'>;
  readonly stopping: AbortSignal;
  /** Called when sending may begin again: the circuit closes, or the quota has room. */
  readonly onReady: () => void;
  readonly tuning?: CircuitTuning | undefined;
}

// events that arrive within this time share a request: the maximum batching delay
const lingerMs = 100;
// with so many, waiting for more would save little, unless the platform limits requests: a request costs as much as some
// twenty events, and deliveries that are sent together are settled together
const lingerMax = 200;
const slowMs = 500;

const slicesOf = (events: readonly PlatformEvent[], size: number): (readonly PlatformEvent[])[] =>
  events.length <= size ? [events] : [events.slice(0, size), ...slicesOf(events.slice(size), size)];

/**
 * Events that arrive within 100 ms share a request, which does not wait if there are two hundred; so do those that arrive
 * while requests are in progress. If the platform has a quota, those share a request that arrive before its next slot.
 */
export const openSender = ({
  connection,
  limits,
  meaningOf,
  enterRoom,
  accessOf,
  events,
  stopping,
  onReady,
  tuning,
}: SenderOptions): Sender => {
  const requestsInProgress = new Set<{ readonly since: number }>();

  const readyIn = (pauseMs: number) => {
    setTimeout(onReady, pauseMs + 100).unref();
  };
  const circuit = createCircuit(
    {
      onOpen(openMs) {
        events.circuitOpened(connection, openMs);
        readyIn(openMs);
      },
      onQuotaUsedUp: readyIn,
    },
    tuning,
  );

  const request = async (access: PlatformAccess, part: readonly PlatformEvent[]): Promise<TimedResponse> => {
    const one = { since: performance.now() };
    requestsInProgress.add(one);
    const answer = await access.send(part).finally(() => requestsInProgress.delete(one));
    const durationMs = Math.round(performance.now() - one.since);
    if (answer.outcome.kind === 'postponed') {
      // the platform counts requests of others of its project as well
      if (answer.httpStatus !== null) events.quotaSlot('day_full');
      return { ...answer, durationMs };
    }
    events.platformAnswered(connection, { events: part.length, durationMs, answer });
    const positions = new Map(part.map((event, position) => [event, position]));
    return { ...answer, durationMs, request: { since: one.since, positions, version: connection.version } };
  };

  /** What does not answer in time works as little as what is rejected. */
  const works = async (access: PlatformAccess): Promise<boolean> => {
    const since = performance.now();
    const late = pause(checkMaxMs, undefined, { ref: false });
    const answer = await Promise.race([access.check(), late]).catch(() => undefined);
    if (!answer) return false;
    events.platformAnswered(connection, { events: 1, durationMs: Math.round(performance.now() - since), answer });
    return answer.outcome.kind === 'delivered';
  };

  const open = (mode: SendingMode) => {
    const access = accessOf(mode);
    // a test says nothing about live events
    const doubting = mode === 'live' && meaningOf && doubtingConnection(meaningOf, () => works(access));
    const takeSlot = async () => (circuit.isPaused() || stopping.aborted ? undefined : access.takeSlot?.());

    const send = async (
      gathered: readonly PlatformEvent[],
      waitMs: number | undefined,
    ): Promise<readonly TimedResponse[]> => {
      let isFirst = true;
      const sendPart = (part: readonly PlatformEvent[]) =>
        circuit.send(async () => {
          if (stopping.aborted) return postponed('worker_stops', 0);
          const slotInMs = isFirst ? waitMs : await access.takeSlot?.();
          isFirst = false;
          return slotInMs === undefined ? request(access, part) : postponed('quota', slotInMs);
        });
      const answers = await sendByKey(gathered, access.requestKeyOf, (part, until) =>
        sendBisecting(sendPart, part, until),
      );
      return doubting ? doubting(answers) : answers;
    };

    const eventsMax = limits.eventsMax[mode];
    const sendTogether = batch(sendingInTime({ send, enterRoom, stopping }), {
      itemsMax: eventsMax,
      sizeOf: ({ events: one }) => one.length,
      runsMax: limits.requestsMax,
      urgent: stopping, // what waits is free for other workers at once
      ...(access.takeSlot === undefined
        ? { lingerMs, ...(limits.requestsMax > 1 && { lingerMax }) }
        : { admit: takeSlot }),
    });
    return {
      access,
      send: async (all: readonly PlatformEvent[], until: number): Promise<readonly TimedResponse[]> => {
        const answers = slicesOf(all, eventsMax).map(async (part) => {
          try {
            return await sendTogether({ events: part, until });
          } catch (error) {
            events.deliveryFailed(connection, error);
            const failed = internalError(); // one, so that their retries stay together
            return part.map(() => failed);
          }
        });
        return (await Promise.all(answers)).flat();
      },
    };
  };
  const modes = { live: open('live'), test: open('test') };

  return {
    version: connection.version,
    prepare: (mode, event, atMs) => modes[mode].access.prepare(event, atMs),
    adjustments: (mode) => modes[mode].access.adjustments,
    send: (mode, all, until) => modes[mode].send(all, until),
    isCircuitOpen: () => circuit.isCircuitOpen(),
    isPaused: () => circuit.isPaused(),
    isSlow: () => [...requestsInProgress].some(({ since }) => performance.now() - since > slowMs),
  };
};
