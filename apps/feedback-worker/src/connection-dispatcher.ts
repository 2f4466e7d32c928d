import type { ClaimedFeedback } from '@leadback/delivery';
import { batch } from '@leadback/runtime/batch';
import type { AttributedConversion } from '@leadback/domain';
import type { Platform, PlatformAccess, PlatformEvent, Prepared, SendingMode } from '@leadback/platforms';
import { type CircuitTuning, createCircuit, postponed, type TimedAnswer } from './circuit.ts';
import type { WorkerEvents } from './events.ts';
import { sendBisecting } from './send-bisecting.ts';

type Connection = ClaimedFeedback['connection'];

/**
 * Sends the events of one connection. Events that arrive within 100 ms, or while requests are in progress, share a
 * request.
 */
export interface ConnectionDispatcher {
  /** `atMs`: the current time, or the time to assume. */
  prepare(mode: SendingMode, conversion: AttributedConversion, atMs: number): Prepared;
  send(mode: SendingMode, event: PlatformEvent): Promise<TimedAnswer>;
  /** Whether one more row is accepted. If not, the dispatcher loads rows by itself once it has capacity again. */
  hasCapacity(): boolean;
  isCircuitOpen(): boolean;
  /** Stops sending; requests in progress are completed. */
  stop(): void;
}

export interface ConnectionDispatcherOptions {
  readonly connection: Connection;
  readonly platform: Platform;
  readonly accessOf: (mode: SendingMode) => PlatformAccess;
  readonly events: WorkerEvents;
  /** Claims at most `rowsMax` more rows of this connection and starts their delivery; returns how many. */
  readonly refill: (connection: Connection, rowsMax: number) => Promise<number>;
  readonly tuning?: CircuitTuning | undefined;
}

// events that arrive within this time share a request: the maximum batching delay
const lingerMs = 100;
// these rows are held in memory and claimed, so that no other worker can send them
const rowsMax = 1_000;
// while a request takes longer than this, no more rows of its connection are accepted
const slowMs = 500;

export const openConnectionDispatcher = ({
  connection,
  platform,
  accessOf,
  events,
  refill,
  tuning,
}: ConnectionDispatcherOptions): ConnectionDispatcher => {
  const requestsInProgress = new Set<{ readonly since: number }>();
  let rows = 0;
  // the backlog may be older than this worker
  let hasMore = true;
  let isRefilling = false;
  let isStopping = false;

  const circuit = createCircuit((openMs) => {
    hasMore = true;
    events.circuitOpened(connection, openMs);
    setTimeout(() => void refillIfNeeded(), openMs + 100).unref();
  }, tuning);
  const isSlow = () => [...requestsInProgress].some(({ since }) => performance.now() - since > slowMs);
  const isReady = () => !isStopping && !circuit.isCircuitOpen() && rows < rowsMax && !isSlow();

  const refillIfNeeded = async (): Promise<void> => {
    if (!hasMore || isRefilling || !isReady() || rows > rowsMax / 2) return;
    isRefilling = true;
    hasMore = false;
    const wanted = rowsMax - rows;
    try {
      if ((await refill(connection, wanted)) === wanted) hasMore = true;
    } catch (error) {
      hasMore = true; // the relay publishes them as well
      events.refillFailed(connection, error);
    } finally {
      isRefilling = false;
    }
  };

  const request = async (access: PlatformAccess, part: readonly PlatformEvent[]): Promise<TimedAnswer> => {
    const waitMs = await access.takeSlot?.();
    if (waitMs !== undefined) return postponed('quota', waitMs);
    const one = { since: performance.now() };
    requestsInProgress.add(one);
    const answer = await access.send(part).finally(() => requestsInProgress.delete(one));
    const durationMs = Math.round(performance.now() - one.since);
    if (answer.outcome.kind === 'postponed') return { ...answer, durationMs };
    events.platformAnswered(connection, { events: part.length, durationMs, answer });
    return { ...answer, durationMs, request: { since: one.since, events: part.length } };
  };

  const open = (mode: SendingMode) => {
    const access = accessOf(mode);
    const sendPart = (part: readonly PlatformEvent[]) =>
      circuit.send(async () => (isStopping ? postponed('worker_stops', 0) : request(access, part)));
    const send = batch((gathered: readonly PlatformEvent[]) => sendBisecting(sendPart, gathered), {
      itemsMax: platform.limits.eventsMax[mode],
      runsMax: platform.limits.requestsMax,
      lingerMs,
    });
    return { access, send };
  };
  const senders = { live: open('live'), test: open('test') };

  return {
    prepare: (mode, conversion, atMs) => senders[mode].access.prepare(conversion, atMs),
    async send(mode, event) {
      rows += 1;
      try {
        return await senders[mode].send(event);
      } finally {
        rows -= 1;
        void refillIfNeeded();
      }
    },
    hasCapacity() {
      if (isReady()) return true;
      hasMore = true;
      return false;
    },
    isCircuitOpen: () => circuit.isCircuitOpen(),
    stop: () => {
      isStopping = true;
    },
  };
};
