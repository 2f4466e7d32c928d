import type { Outcome } from '@leadback/domain';
import type { PlatformEvent } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { sendBisecting } from '../src/send.ts';

const isBad = ({ bad }: PlatformEvent) => bad === true;

/** A platform that rejects every request with a bad event in it, and may name the bad events. */
const givenPlatform = ({ namesThem = false } = {}) => {
  const requests: PlatformEvent[][] = [];
  const send = (events: readonly PlatformEvent[]) => {
    requests.push([...events]);
    const wrong = events.flatMap((event, index) => (isBad(event) ? [{ index, reason: `event ${index} is bad` }] : []));
    const rejected: Outcome = { kind: 'rejected', reason: 'bad', ...(namesThem && { events: wrong }) };
    const outcome: Outcome = wrong.length > 0 ? rejected : { kind: 'delivered' };
    return Promise.resolve({ outcome, httpStatus: 200, body: null, durationMs: 1 });
  };
  return { requests, send };
};

const batch = Array.from({ length: 40 }, (_, id) => ({ id, bad: id === 23 || id === 31 }));
const expected = batch.map(({ bad }) => (bad ? 'rejected' : 'delivered'));

describe('bisecting a rejected request', () => {
  it('halves a rejected request until each bad event is alone, and delivers the others once', async () => {
    const { requests, send } = givenPlatform();
    const answers = await sendBisecting(send, batch);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(expected);
    expect(requests.filter((sent) => !sent.some(isBad)).flat()).toHaveLength(38);
    expect(requests.length).toBeLessThan(30);
  });

  it('resends a rejected request once without the events that the platform names, each with its own reason', async () => {
    const { requests, send } = givenPlatform({ namesThem: true });
    const answers = await sendBisecting(send, batch);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(expected);
    expect(answers[31]?.outcome).toEqual({ kind: 'rejected', reason: 'event 31 is bad' });
    expect(requests.map((sent) => sent.length)).toEqual([40, 38]);
  });

  it('does not resend a rejected request if the platform names all of its events', async () => {
    const { requests, send } = givenPlatform({ namesThem: true });
    const answers = await sendBisecting(send, [{ bad: true }, { bad: true }]);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(['rejected', 'rejected']);
    expect(requests).toHaveLength(1);
  });

  it('postpones events of a rejected request that could not be separated in time', async () => {
    const { send } = givenPlatform();
    const answers = await sendBisecting(send, batch, 0);
    expect(new Set(answers.map(({ outcome }) => outcome.kind))).toEqual(new Set(['postponed']));
  });

  it('never resends an event that the platform accepted beside others that it did not', async () => {
    const requests: number[] = [];
    const retry: Outcome = { kind: 'unavailable', reason: 'goal is new', retryAfterMs: 7_200_000 };
    const failed = [
      { index: 1, outcome: { kind: 'rejected', reason: 'bad click' } },
      { index: 2, outcome: retry },
      { index: 4, outcome: { ...retry } },
    ] as const;
    const answers = await sendBisecting(
      (events) => {
        requests.push(events.length);
        const outcome: Outcome = { kind: 'delivered', request: 'request-1', events: failed };
        return Promise.resolve({ outcome, httpStatus: 200, body: 'words', durationMs: 7 });
      },
      batch.slice(0, 5),
    );
    const delivered = { kind: 'delivered', request: 'request-1' };
    expect(requests).toEqual([5]);
    expect(answers.map(({ outcome }) => outcome)).toEqual([delivered, failed[0].outcome, retry, delivered, retry]);
    expect(answers[0]).toEqual({ outcome: delivered, httpStatus: 200, body: 'words', durationMs: 7 });
    expect(answers[4]).toBe(answers[2]);
  });
});
