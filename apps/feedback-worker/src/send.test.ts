import { setImmediate as turn } from 'node:timers/promises';
import type { Outcome } from '@leadback/domain';
import type { PlatformResponse, PlatformAccess, PlatformEvent } from '@leadback/platforms';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { doubtingConnection, openSender, sendBisecting, type TimedResponse } from './send.ts';

interface WantedSender {
  readonly takeSlot?: NonNullable<PlatformAccess['takeSlot']>;
  readonly requestsMax?: number;
  readonly eventsMax?: number;
  readonly requestKeyOf?: NonNullable<PlatformAccess['requestKeyOf']>;
  readonly answer?: PlatformResponse;
}

const accepted: PlatformResponse = { outcome: { kind: 'delivered' }, httpStatus: 200, body: null };

/** A sender whose platform accepts each request when its gate is resolved. */
const givenSender = ({
  takeSlot,
  requestsMax = 1,
  eventsMax = 3,
  requestKeyOf,
  answer = accepted,
}: WantedSender = {}) => {
  const stop = new AbortController();
  const requests: PlatformEvent[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const quotaSlot = vi.fn<(outcome: string) => void>();
  const access: PlatformAccess = {
    prepare: () => ({ kind: 'skipped', reason: 'consent' }),
    async send(events) {
      requests.push([...events]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return answer;
    },
    check: () => Promise.reject(new Error('unused')),
    ...(takeSlot && { takeSlot }),
    ...(requestKeyOf && { requestKeyOf }),
  };
  const sender = openSender({
    connection: { id: 1, platform: 'google', version: 1 },
    limits: { eventsMax: { live: eventsMax, test: 1 }, requestsMax },
    accessOf: () => access,
    events: { platformAnswered: () => {}, circuitOpened: () => {}, deliveryFailed: () => {}, quotaSlot },
    stopping: stop.signal,
    onReady: () => {},
  });
  const send = async (id: number, until = Number.POSITIVE_INFINITY) =>
    (await sender.send('live', [{ id }], until))[0]?.outcome;
  return { stop, requests, gates, sender, send, quotaSlot };
};

const requestKeyOf = ({ id }: PlatformEvent) => (id === 2 ? 'lead' : 'sale');
const delivered = { kind: 'delivered' };
const sent = (...ids: readonly number[]) => ids.map((id) => ({ id }));
/** Several turns, so that all that can happen without time has happened. */
const turns = async () => {
  for (let one = 0; one < 5; one += 1) await turn();
};

describe('sending the events of a connection', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a lone event for a platform with a quota is sent as soon as it has its slot', async () => {
    const { requests, gates, send } = givenSender({ takeSlot: () => Promise.resolve(undefined) });
    const outcome = send(1);
    await turns();
    expect(requests).toEqual([sent(1)]);
    gates[0]?.resolve();
    expect(await outcome).toEqual(delivered);
  });

  it('events that arrive before the next slot share a request', async () => {
    const slots: PromiseWithResolvers<undefined>[] = [];
    const takeSlot = () => {
      slots.push(Promise.withResolvers<undefined>());
      return slots.at(-1)?.promise ?? Promise.reject(new Error('no slot'));
    };
    const { requests, send } = givenSender({ takeSlot });
    for (const id of [1, 2]) {
      void send(id);
      await turns();
    }
    expect(requests).toEqual([]);
    slots[0]?.resolve(undefined);
    await turns();
    expect([requests, slots.length]).toEqual([[sent(1, 2)], 1]);
  });

  it('without a slot nothing is sent, and all events that wait for it are postponed', async () => {
    const { requests, send } = givenSender({ takeSlot: () => Promise.resolve(7_000) });
    const postponed = { kind: 'postponed', reason: 'quota', retryAfterMs: 7_000 };
    expect(await Promise.all([send(1), send(2)])).toEqual([postponed, postponed]);
    expect(requests).toEqual([]);
  });

  it('no slot is taken while the quota is used up', async () => {
    const takeSlot = vi.fn<() => Promise<number>>(() => Promise.resolve(7_000));
    const { send } = givenSender({ takeSlot });
    await send(1);
    expect(await send(2)).toMatchObject({ kind: 'postponed', reason: 'quota' });
    expect(takeSlot).toHaveBeenCalledTimes(1);
  });

  it('a platform that has no quota left for the day is asked for nothing more until then, and is told of as such', async () => {
    const full = { kind: 'postponed', reason: 'quota', retryAfterMs: 600_000 } as const;
    const { requests, gates, sender, send, quotaSlot } = givenSender({
      takeSlot: () => Promise.resolve(undefined),
      answer: { outcome: full, httpStatus: 429, body: null },
    });
    const first = send(1);
    await turns();
    gates[0]?.resolve();
    expect(await first).toEqual(full);
    expect(await send(2)).toMatchObject({ kind: 'postponed', reason: 'quota' });
    expect([requests, sender.isCircuitOpen(), sender.isPaused()]).toEqual([[sent(1)], false, true]);
    expect(quotaSlot.mock.calls).toEqual([['day_full']]);
  });

  it('events for a platform without a quota share a request if they arrive within 100 ms', async () => {
    const { requests, send } = givenSender();
    for (const id of [1, 2]) {
      void send(id);
      await turns();
      expect(requests).toEqual([]);
      vi.advanceTimersByTime(50);
    }
    await turns();
    expect(requests).toEqual([sent(1, 2)]);
  });

  it('two hundred events wait for no others', async () => {
    const { requests, sender } = givenSender({ eventsMax: 400, requestsMax: 2 });
    const many = Array.from({ length: 200 }, (_, id) => ({ id }));
    void sender.send('live', many, Number.POSITIVE_INFINITY);
    await turns();
    expect(requests).toEqual([many]);
  });

  it('more events than fit into a request are sent in several, and each has its own result', async () => {
    const { requests, gates, sender } = givenSender();
    const answers = sender.send('live', sent(1, 2, 3, 4), Number.POSITIVE_INFINITY);
    for (const number of [0, 1]) {
      await turns();
      gates[number]?.resolve();
    }
    expect((await answers).map(({ outcome }) => outcome)).toEqual([delivered, delivered, delivered, delivered]);
    expect(requests).toEqual([sent(1, 2, 3), sent(4)]);
  });

  it('events with different keys are sent in different requests, and each has its own result', async () => {
    const takeSlot = vi.fn<() => Promise<undefined>>(() => Promise.resolve(undefined));
    const { requests, gates, sender } = givenSender({ requestKeyOf, takeSlot });
    const answers = sender.send('live', sent(1, 2, 3), Number.POSITIVE_INFINITY);
    await turns();
    expect(requests).toEqual([sent(1, 3)]);
    gates[0]?.resolve();
    await turns();
    expect(requests).toEqual([sent(1, 3), sent(2)]);
    gates[1]?.reject(new Error('a defect'));
    expect(await answers).toHaveLength(3);
    expect(takeSlot).toHaveBeenCalledTimes(2);
  });

  it('events whose turn comes too late are postponed', async () => {
    const { gates, sender } = givenSender({
      requestKeyOf: ({ id }) => String(id),
      takeSlot: () => Promise.resolve(undefined),
    });
    const answers = sender.send('live', sent(1, 2), Number.POSITIVE_INFINITY);
    await turns();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    gates[0]?.resolve();
    expect((await answers).map(({ outcome }) => outcome)).toEqual([
      delivered,
      { kind: 'postponed', reason: 'claimed_too_long', retryAfterMs: 0 },
    ]);
    vi.restoreAllMocks();
  });

  it('an internal error with one request leaves the results of the others', async () => {
    const { requests, gates, sender } = givenSender();
    const answers = sender.send('live', sent(1, 2, 3, 4), Number.POSITIVE_INFINITY);
    await turns();
    gates[0]?.reject(new Error('a defect'));
    await turns();
    gates[1]?.resolve();
    expect((await answers).map(({ outcome }) => outcome.kind)).toEqual([
      'unavailable',
      'unavailable',
      'unavailable',
      'delivered',
    ]);
    expect(requests).toHaveLength(2);
  });

  it('two hundred events wait for others if the platform takes one request at a time', async () => {
    const { requests, sender } = givenSender({ eventsMax: 400 });
    void sender.send(
      'live',
      Array.from({ length: 200 }, (_, id) => ({ id })),
      Number.POSITIVE_INFINITY,
    );
    await turns();
    expect(requests).toEqual([]);
  });

  it('an event that was claimed too long ago is postponed, and the others of its request are sent', async () => {
    const { requests, gates, send } = givenSender();
    const outcomes = [send(1), send(2, performance.now() - 1), send(3)];
    await turns();
    expect(requests).toEqual([sent(1, 3)]);
    gates[0]?.resolve();
    expect(await Promise.all(outcomes)).toEqual([
      delivered,
      { kind: 'postponed', reason: 'claimed_too_long', retryAfterMs: 0 },
      delivered,
    ]);
  });

  it('events that wait when the worker stops are postponed at once, and the request in progress is completed', async () => {
    const { stop, requests, gates, send } = givenSender();
    const inProgress = [send(1), send(2), send(3)];
    await turns();
    const waiting = send(4);
    await turns();
    stop.abort();
    expect(await waiting).toEqual({ kind: 'postponed', reason: 'worker_stops', retryAfterMs: 0 });
    gates[0]?.resolve();
    expect(await Promise.all(inProgress)).toEqual([delivered, delivered, delivered]);
    expect(requests).toEqual([sent(1, 2, 3)]);
  });

  it('an event that waits for its slot when the worker stops is postponed at once', async () => {
    const { stop, requests, send } = givenSender({ takeSlot: () => new Promise(() => {}) });
    const outcome = send(1);
    await turns();
    stop.abort();
    expect(await outcome).toEqual({ kind: 'postponed', reason: 'worker_stops', retryAfterMs: 0 });
    expect(requests).toEqual([]);
  });
});

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
    expect(requests.filter((request) => !request.some(isBad)).flat()).toHaveLength(38);
    expect(requests.length).toBeLessThan(30);
  });

  it('resends a rejected request once without the events that the platform names, each with its own reason', async () => {
    const { requests, send } = givenPlatform({ namesThem: true });
    const answers = await sendBisecting(send, batch);
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(expected);
    expect(answers[31]?.outcome).toEqual({ kind: 'rejected', reason: 'event 31 is bad' });
    expect(requests.map((request) => request.length)).toEqual([40, 38]);
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
    const inPart = { kind: 'delivered', request: 'request-1' };
    expect(requests).toEqual([5]);
    expect(answers.map(({ outcome }) => outcome)).toEqual([inPart, failed[0].outcome, retry, inPart, retry]);
    expect(answers[0]).toEqual({ outcome: inPart, httpStatus: 200, body: 'words', durationMs: 7 });
    expect(answers[4]).toBe(answers[2]);
  });
});

const sendWith = (outcome: Outcome) => () => Promise.resolve({ outcome, httpStatus: 200, body: null, durationMs: 1 });

describe('what a platform left out of some events', () => {
  it('is told of each event that it names, and of all what it says of the request', async () => {
    const warnings = [{ index: 1, warning: 'left out user_data' }];
    const outcome: Outcome = { kind: 'delivered', request: 'request-1', warnings };
    const answers = await sendBisecting(sendWith(outcome), batch.slice(0, 3));
    const plain = { kind: 'delivered', request: 'request-1' };
    expect(answers.map((answer) => answer.outcome)).toEqual([
      plain,
      { ...plain, warning: 'left out user_data' },
      plain,
    ]);
    expect(answers[2]).toBe(answers[0]);
    const both = await sendBisecting(sendWith({ ...outcome, warning: 'and more' }), batch.slice(0, 2));
    expect(both.map((answer) => answer.outcome)).toMatchObject([
      { warning: 'and more' },
      { warning: 'left out user_data. and more' },
    ]);
  });
});

const rejected = (reason: string, httpStatus = 400): TimedResponse => ({
  outcome: { kind: 'rejected', reason },
  httpStatus,
  body: null,
  durationMs: 1,
});
const passed: TimedResponse = { ...accepted, durationMs: 1 };
const meaningOf = (reason: string) => (reason.startsWith('100:') ? 'rejected' : undefined);
const givenDoubts = ({ works = false } = {}) => {
  const doubting = doubtingConnection(meaningOf, async () => works);
  return async (...answers: readonly TimedResponse[]) => (await doubting(answers)).map(({ outcome }) => outcome.kind);
};

describe('an unknown rejection', () => {
  it('is of the connection once it strikes three events in a row, until one passes', async () => {
    const kinds = givenDoubts();
    expect([await kinds(rejected('7: a')), await kinds(rejected('7: b'))]).toEqual([['rejected'], ['rejected']]);
    expect(await kinds(passed)).toEqual(['delivered']);
    expect([await kinds(rejected('7: c')), await kinds(rejected('7: d'))]).toEqual([['rejected'], ['rejected']]);
    expect(await kinds(rejected('7: e'))).toEqual(['refused']);
  });

  it('is of the connection if it strikes every event of a request that was bisected', async () => {
    expect(await givenDoubts()(rejected('7: a'), rejected('7: b'))).toEqual(['refused', 'refused']);
    expect(await givenDoubts()(rejected('7: a'), passed)).toEqual(['rejected', 'delivered']);
    expect(await givenDoubts()(rejected('7: a'), rejected('8: b'))).toEqual(['rejected', 'rejected']);
  });

  it('is of the event if its reason is known, differs each time, or is an error of the platform', async () => {
    const kinds = givenDoubts();
    for (const one of [
      rejected('100: a'),
      rejected('7: a'),
      rejected('8: a'),
      rejected('9: a'),
      rejected('9: b', 500),
    ]) {
      expect(await kinds(one)).toEqual(['rejected']);
    }
  });

  it('is of the events if the platform takes one of our own', async () => {
    const kinds = givenDoubts({ works: true });
    expect(await kinds(rejected('7: a'), rejected('7: b'))).toEqual(['rejected', 'rejected']);
    for (const reason of ['8: a', '8: b', '8: c', '8: d']) expect(await kinds(rejected(reason))).toEqual(['rejected']);
  });
});
