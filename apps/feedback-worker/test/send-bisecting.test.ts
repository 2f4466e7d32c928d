import type { Outcome, PlatformEvent } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { sendBisecting } from '../src/send-bisecting.ts';

const isBad = ({ bad }: PlatformEvent) => bad === true;

/** A platform that rejects every request with a bad event in it, and may name those that are. */
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

describe('a request that is rejected for the sake of some events', () => {
  it('goes again in halves until each bad one is alone, and delivers the others once', async () => {
    const { requests, send } = givenPlatform();
    const answers = await sendBisecting(send, batch);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(expected);
    expect(requests.filter((sent) => !sent.some(isBad)).flat()).toHaveLength(38);
    expect(requests.length).toBeLessThan(30);
  });

  it('goes again once without those that the platform names, each with its own reason', async () => {
    const { requests, send } = givenPlatform({ namesThem: true });
    const answers = await sendBisecting(send, batch);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(expected);
    expect(answers[31]?.outcome).toEqual({ kind: 'rejected', reason: 'event 31 is bad' });
    expect(requests.map((sent) => sent.length)).toEqual([40, 38]);
  });

  it('is not sent again where all are named', async () => {
    const { requests, send } = givenPlatform({ namesThem: true });
    const answers = await sendBisecting(send, [{ bad: true }, { bad: true }]);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(['rejected', 'rejected']);
    expect(requests).toHaveLength(1);
  });

  it('is tried again later as far as it could not be told apart in time', async () => {
    const { send } = givenPlatform();
    const answers = await sendBisecting(send, batch, 0);
    expect(new Set(answers.map(({ outcome }) => outcome.kind))).toEqual(new Set(['postponed']));
  });
});
