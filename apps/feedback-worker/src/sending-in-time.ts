import type { PlatformEvent } from '@leadback/platforms';
import { postponed, type TimedAnswer } from './circuit.ts';

/** Events that are sent in one request, perhaps with others. */
export interface TimedEvents {
  readonly events: readonly PlatformEvent[];
  /** They are sent before, by `performance.now()`, or not at all. */
  readonly until: number;
}

/** Waits until the account may make one more request; the returned function ends it. */
export type EnterRoom = () => Promise<() => void>;

interface Options {
  readonly send: (events: readonly PlatformEvent[], waitMs: number | undefined) => Promise<readonly TimedAnswer[]>;
  readonly enterRoom: EnterRoom | undefined;
  readonly stopping: AbortSignal;
}

/**
 * Returns a function that sends events together, once the account may make a request. Those whose time is over by then
 * are postponed: they could not be sent before another worker may claim their deliveries.
 */
export const sendingInTime =
  ({ send, enterRoom, stopping }: Options) =>
  async (items: readonly TimedEvents[], waitMs: number | undefined): Promise<(readonly TimedAnswer[])[]> => {
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
