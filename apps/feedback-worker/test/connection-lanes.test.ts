import { credentialsKey, sealCredentials } from '@leadback/db';
import { secretsKey } from '@leadback/given';
import type { Answer, Platform, PlatformEvent } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/runtime';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectionLanes } from '../src/connection-lanes.ts';
import { workerEvents } from '../src/events.ts';

const delivered: Answer = { outcome: { kind: 'delivered' }, httpStatus: 200, body: null };
const rejected: Answer = { outcome: { kind: 'rejected', reason: 'bad' }, httpStatus: 400, body: null };

/** A platform that rejects every request with a bad event in it, and tells what it was sent. */
const givenLane = () => {
  const requests: PlatformEvent[][] = [];
  const platform: Platform = {
    name: 'meta',
    eventsMax: 100,
    settingsSchema: z.unknown(),
    credentialsSchema: z.unknown(),
    access: () => ({
      check: () => Promise.resolve(delivered),
      prepare: () => ({ kind: 'skipped', reason: 'not asked' }),
      send: (events) => {
        requests.push([...events]);
        return Promise.resolve(events.some(({ bad }) => bad === true) ? rejected : delivered);
      },
    }),
  };
  const laneOf = connectionLanes({
    platforms: { meta: platform, google: platform },
    secretsKey,
    events: workerEvents(createLogger('feedback-worker', 'silent'), createMetrics('feedback-worker')),
  });
  const owner = { id: 1, accountId: 1 };
  const connection = {
    ...owner,
    platform: 'meta',
    state: 'active',
    settings: {},
    sealedCredentials: sealCredentials(credentialsKey(secretsKey), owner, {}),
  } as const;
  const lane = laneOf(connection, 'live');
  const testLane = laneOf(connection, 'test');
  return { lane, testLane, requests };
};

describe("a connection's lane", () => {
  it('rejects the one bad event of a batch and delivers its neighbours once', async () => {
    const { lane, requests } = givenLane();
    const events = Array.from({ length: 40 }, (_, id) => ({ id, bad: id === 23 }));
    const answers = await Promise.all(events.map((event) => lane.send(event)));
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(
      events.map(({ bad }) => (bad ? 'rejected' : 'delivered')),
    );
    const taken = requests.filter((batch) => batch.every(({ bad }) => bad !== true)).flat();
    expect(taken).toHaveLength(39);
    expect(requests.length).toBeLessThan(20);
  });

  it('takes tests in requests of their own', async () => {
    const { lane, testLane, requests } = givenLane();
    const events = Array.from({ length: 40 }, (_, id) => ({ id, isTest: id % 2 === 0 }));
    await Promise.all(events.map((event) => (event.isTest ? testLane : lane).send(event)));
    const mixed = requests.filter((batch) => new Set(batch.map(({ isTest }) => isTest)).size > 1);
    expect([requests.flat().length, mixed]).toEqual([40, []]);
  });
});
