import type { Outcome } from '@leadback/domain';
import type { PlatformEvent } from '@leadback/platforms';
import { postponed, type TimedAnswer } from './circuit.ts';

type Send = (events: readonly PlatformEvent[]) => Promise<TimedAnswer>;

// together with the longest request before and after, shorter than a lease
export const splitMaxMs = 20_000;

const notSplitInTime = postponed('request rejected because of other events; retrying', 10_000);

/**
 * Returns a function that gives the answer to a request its outcome for one event. Equal outcomes share an answer, so
 * that their retries stay together.
 */
const answerOfEvent = (answer: TimedAnswer) => {
  const answers = new Map<string, TimedAnswer>();
  return (outcome: Outcome): TimedAnswer => {
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
): Promise<TimedAnswer[]> => {
  const answer = await send(events);
  const { outcome } = answer;
  const answerOf = answerOfEvent(answer);
  if (outcome.kind === 'delivered' && outcome.events !== undefined) {
    const { events: notAccepted, ...accepted } = outcome;
    const failed = new Map(notAccepted.map((event) => [event.index, event.outcome]));
    return events.map((_, index) => answerOf(failed.get(index) ?? accepted));
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
