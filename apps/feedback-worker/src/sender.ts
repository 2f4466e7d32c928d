import type { DeliverableEvent } from '@leadback/domain';
import type { DeliveryConnection } from '@leadback/delivery';
import type { Platform, PlatformAccess, PlatformEvent, Prepared, SendingMode } from '@leadback/platforms';
import { batch } from '@leadback/runtime/batch';
import { type CircuitTuning, createCircuit, internalError, postponed, type TimedAnswer } from './circuit.ts';
import type { WorkerEvents } from './events.ts';
import { sendBisecting } from './send-bisecting.ts';
import { sendByKey } from './send-by-key.ts';
import { type EnterRoom, sendingInTime } from './sending-in-time.ts';

/** Sends the events of one connection, as it was configured in one version. */
export interface Sender {
  /** That version. */
  readonly version: number;
  /** `atMs`: the current time by PostgreSQL's clock. */
  prepare(mode: SendingMode, event: DeliverableEvent, atMs: number): Prepared;
  /** Missing: the platform is told of no adjustments. */
  adjustments(mode: SendingMode): PlatformAccess['adjustments'];
  /** Returns one result per event, in order; never throws. `until`: no request begins later, by `performance.now()`. */
  send(mode: SendingMode, events: readonly PlatformEvent[], until: number): Promise<readonly TimedAnswer[]>;
  isCircuitOpen(): boolean;
  /** Whether nothing is sent for now: the circuit is open, or the quota is used up. */
  isPaused(): boolean;
  /** Whether a request takes long, so that more events would only wait. */
  isSlow(): boolean;
}

export interface SenderOptions {
  readonly connection: Pick<DeliveryConnection, 'id' | 'platform' | 'version'>;
  readonly limits: Pick<Platform['limits'], 'eventsMax' | 'requestsMax'>;
  /** Default: at once. */
  readonly enterRoom?: EnterRoom | undefined;
  readonly accessOf: (mode: SendingMode) => PlatformAccess;
  readonly events: Pick<WorkerEvents, 'platformAnswered' | 'circuitOpened' | 'deliveryFailed'>;
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

  const request = async (access: PlatformAccess, part: readonly PlatformEvent[]): Promise<TimedAnswer> => {
    const one = { since: performance.now() };
    requestsInProgress.add(one);
    const answer = await access.send(part).finally(() => requestsInProgress.delete(one));
    const durationMs = Math.round(performance.now() - one.since);
    if (answer.outcome.kind === 'postponed') return { ...answer, durationMs };
    events.platformAnswered(connection, { events: part.length, durationMs, answer });
    return { ...answer, durationMs, request: { since: one.since, events: part.length, version: connection.version } };
  };

  const open = (mode: SendingMode) => {
    const access = accessOf(mode);
    const takeSlot = async () => (circuit.isPaused() || stopping.aborted ? undefined : access.takeSlot?.());

    const send = async (
      gathered: readonly PlatformEvent[],
      waitMs: number | undefined,
    ): Promise<readonly TimedAnswer[]> => {
      let isFirst = true;
      const sendPart = (part: readonly PlatformEvent[]) =>
        circuit.send(async () => {
          if (stopping.aborted) return postponed('worker_stops', 0);
          const slotInMs = isFirst ? waitMs : await access.takeSlot?.();
          isFirst = false;
          return slotInMs === undefined ? request(access, part) : postponed('quota', slotInMs);
        });
      return sendByKey(gathered, access.requestKeyOf, (part, until) => sendBisecting(sendPart, part, until));
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
      send: async (all: readonly PlatformEvent[], until: number): Promise<readonly TimedAnswer[]> => {
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
