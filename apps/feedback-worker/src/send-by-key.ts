import type { PlatformAccess, PlatformEvent } from '@leadback/platforms';
import { postponed, type TimedAnswer } from './circuit.ts';
import { splitMaxMs } from './send-bisecting.ts';

/**
 * Sends events with different keys one after the other in requests of their own, so that each result is about one kind.
 * Returns one result per event, in order. `send` must begin no splitting after `until`, by `performance.now()`; events
 * whose turn comes later are postponed.
 */
export const sendByKey = async (
  events: readonly PlatformEvent[],
  keyOf: PlatformAccess['requestKeyOf'],
  send: (part: readonly PlatformEvent[], until: number) => Promise<readonly TimedAnswer[]>,
): Promise<readonly TimedAnswer[]> => {
  const until = performance.now() + splitMaxMs;
  if (keyOf === undefined) return send(events, until);
  const late = postponed('claimed_too_long', 0);
  const parts = Map.groupBy(events.entries(), ([, event]) => keyOf(event));
  const answers: TimedAnswer[] = [];
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
