import { type ClaimedFeedback, batch } from '@leadback/db';
import type { AttributedConversion } from '@leadback/domain';
import type { Platform, PlatformAccess, PlatformEvent, Prepared, SendingMode } from '@leadback/platforms';
import { type CircuitTuning, createCircuit, postponed, type TimedAnswer } from './circuit.ts';
import type { WorkerEvents } from './events.ts';
import { sendBisecting } from './send-bisecting.ts';

type Connection = ClaimedFeedback['connection'];

/** The way to one connection's platform. Events that come close to each other, or while requests are under way, travel together. */
export interface ConnectionDispatcher {
  /** `atMs`: as it was at another time than now. */
  prepare(mode: SendingMode, conversion: AttributedConversion, atMs?: number): Prepared;
  send(mode: SendingMode, event: PlatformEvent): Promise<TimedAnswer>;
  /** Whether one more row is welcome. If not, the lane asks for it by itself when it has room again. */
  hasCapacity(): boolean;
  /** Whether nothing is sent now, because the platform is in trouble or asks for fewer requests. */
  isCircuitOpen(): boolean;
  /** From now on nothing is sent but what is in a request already. */
  stop(): void;
}

export interface ConnectionDispatcherOptions {
  readonly connection: Connection;
  readonly platform: Platform;
  readonly accessOf: (mode: SendingMode) => PlatformAccess;
  readonly events: WorkerEvents;
  /** Brings at most so many more rows of this connection, and gives how many those were. */
  readonly refill: (connection: Connection, rowsMax: number) => Promise<number>;
  readonly tuning?: CircuitTuning | undefined;
}

// whoever arrives within this time shares a request; nobody waits longer for company
const lingerMs = 100;
// Those at hand are in memory, and held by nobody else.
const rowsMax = 1_000;
// a request that takes longer makes its connection a slow one, of which no more is taken meanwhile
const slowMs = 500;

export const openConnectionDispatcher = ({
  connection,
  platform,
  accessOf,
  events,
  refill,
  tuning,
}: ConnectionDispatcherOptions): ConnectionDispatcher => {
  const underWay = new Set<{ readonly since: number }>();
  let rows = 0;
  // a backlog may be older than this worker
  let hasMore = true;
  let isRefilling = false;
  let isStopping = false;

  const circuit = createCircuit((restMs) => {
    hasMore = true;
    events.circuitOpened(connection, restMs);
    setTimeout(() => void refillIfWanted(), restMs + 100).unref();
  }, tuning);
  const isSlow = () => [...underWay].some(({ since }) => performance.now() - since > slowMs);
  const hasRoom = () => !isStopping && !circuit.isCircuitOpen() && rows < rowsMax && !isSlow();

  const refillIfWanted = async (): Promise<void> => {
    if (!hasMore || isRefilling || !hasRoom() || rows > rowsMax / 2) return;
    isRefilling = true;
    hasMore = false;
    const wanted = rowsMax - rows;
    try {
      if ((await refill(connection, wanted)) === wanted) hasMore = true;
    } catch (error) {
      hasMore = true; // the relay brings them as well
      events.refillFailed(connection, error);
    } finally {
      isRefilling = false;
    }
  };

  const request = async (access: PlatformAccess, part: readonly PlatformEvent[]): Promise<TimedAnswer> => {
    const one = { since: performance.now() };
    underWay.add(one);
    const answer = await access.send(part).finally(() => underWay.delete(one));
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
      itemsMax: platform.eventsMax[mode],
      runsMax: platform.requestsMax,
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
        void refillIfWanted();
      }
    },
    hasCapacity() {
      if (hasRoom()) return true;
      hasMore = true;
      return false;
    },
    isCircuitOpen: () => circuit.isCircuitOpen(),
    stop: () => {
      isStopping = true;
    },
  };
};
