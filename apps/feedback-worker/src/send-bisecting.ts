import type { PlatformEvent } from '@leadback/platforms';
import { postponed, type TimedAnswer } from './circuit.ts';

type Send = (events: readonly PlatformEvent[]) => Promise<TimedAnswer>;

// With the longest wait for one request before and after, this is still less than a lease.
const splitMaxMs = 20_000;

const notSplitInTime = postponed('rejected among others; to be tried again', 10_000);

/**
 * Sends all and gives one answer for each. Where a platform rejects a whole request for the sake of some, sends the
 * others again without those that it names, or in halves until each wrong one is alone. What could not be told apart in
 * time is to be tried again.
 */
export const sendBisecting = async (
  send: Send,
  events: readonly PlatformEvent[],
  until = performance.now() + splitMaxMs,
): Promise<TimedAnswer[]> => {
  const answer = await send(events);
  const { outcome } = answer;
  if (outcome.kind !== 'rejected' || events.length === 1) return events.map(() => answer);
  if (performance.now() > until) return events.map(() => notSplitInTime);

  const wrong = new Map((outcome.events ?? []).map(({ index, reason }) => [index, reason]));
  if (wrong.size > 0) {
    const others = events.filter((_, index) => !wrong.has(index));
    const answers = others.length > 0 ? await sendBisecting(send, others, until) : [];
    return events.map((_, index) => {
      const reason = wrong.get(index);
      if (reason !== undefined) return { ...answer, outcome: { kind: 'rejected', reason } };
      return answers.shift() ?? answer;
    });
  }
  const half = Math.ceil(events.length / 2);
  // one after the other: an account whose events are all wrong must not take the way of others
  const first = await sendBisecting(send, events.slice(0, half), until);
  return [...first, ...(await sendBisecting(send, events.slice(half), until))];
};
