import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { FeedbackAttempt } from '@leadback/db';
import { tcpProxy } from '@leadback/test-fixtures';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { failpoint, wire } from '../support/failpoint.ts';
import { allDelivered, relayLooksAgain } from '../support/feedback.ts';
import { givenPorts, givenStack, type RunningApp, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';
import { sumIn } from '../support/metrics.ts';

// long run: `API_KILLS=500 pnpm exec vitest run tests/faults/api-killed.test.ts`; a start takes a second
const killsCount = Number(process.env['API_KILLS'] ?? 12);
const killSeed = Number(process.env['API_KILL_SEED'] ?? randomInt(2 ** 31));
const killWithinMs = 700;

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const publishedBy = async ({ metrics }: RunningApp) =>
  sumIn(await metrics(), 'leadback_feedback_published_total', { by: 'relay', outcome: 'confirmed' });

describe('accepted conversions and api crashes', () => {
  let stack: TestStack;
  let ledger: Ledger;
  let worker: RunningApp;

  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    worker = await stack.start('feedback-worker');
  }, 120_000);
  afterEach(() => stack.kill('api'));
  afterAll(() => stack[Symbol.asyncDispose]());

  const storedCount = async () => (await stack.database.pool.query('select id from conversion')).rowCount ?? 0;

  /** The number of connections from an api to RabbitMQ. */
  const brokerConnections = () => stack.timesLogged('api', 'connected to RabbitMQ');

  // four requests, the last two with idempotency keys, which commit in their own transaction
  const register = 'register-conversions';
  it.each([
    ['before it writes anything', { moment: 'saying', text: register }, 0],
    ['before it commits', { moment: 'saying', text: wire.postgres.commit }, 2],
    ['after it commits', { moment: 'hearing', text: wire.postgres.idle, onceSaid: register }, 1],
    ['before it publishes what it committed', { moment: 'saying', text: wire.amqp.publish }, 1],
  ] as const)('delivers accepted conversions once if the api is killed %s', async (_when, point, storedByThen) => {
    const { module, mark } = failpoint(point);
    const connectionsBefore = await brokerConnections();
    const api = await stack.start('api', { imports: [module] });
    await vi.waitFor(async () => expect(await brokerConnections()).toBeGreaterThan(connectionsBefore));
    const before = await storedCount();
    const entries = [];
    while (entries.length < 4) entries.push(...(await ledger.register(1)));
    expect(await api.exited).toBe('SIGKILL');
    expect(await stack.timesLogged('api', mark)).toBe(1);
    expect((await storedCount()) - before).toBe(storedByThen);

    await stack.start('api');
    await ledger.repeat(entries);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it(
    `delivers accepted conversions once if the api is killed at random moments under load (seed ${killSeed})`,
    async () => {
      const random = randomFrom(killSeed);
      const unanswered = [];
      for (let kill = 0; kill < killsCount; kill += 1) {
        const api = await stack.start('api');
        const load = ledger.load();
        await pause(random() * killWithinMs);
        await api.kill();
        unanswered.push(...(await load.stop()).filter(({ ids }) => ids.length === 0));
      }
      expect(unanswered.length).toBeGreaterThan(0);
      await stack.start('api');
      await ledger.repeat(unanswered);
      expect(unanswered.filter(({ isKeyed, ids }) => isKeyed && ids.length !== 1)).toEqual([]);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    killsCount * 5_000 + 90_000,
  );

  it('delivers accepted conversions once if the api is killed before and after a publisher confirm', async () => {
    const points = (['hearing', 'heard'] as const).map((moment) =>
      failpoint({ moment, text: wire.amqp.ack, onceSaid: wire.amqp.publish }),
    );
    await givenUnpublished(50);
    // so that there are more messages than deliveries
    process.kill(worker.pid, 'SIGSTOP');
    for (const { module, mark } of points) {
      const api = await stack.start('api', { imports: [module] });
      await relayLooksAgain(stack.database);
      expect(await api.exited).toBe('SIGKILL');
      expect(await stack.timesLogged('api', mark)).toBe(1);
    }
    const api = await stack.start('api');
    await relayLooksAgain(stack.database);
    await vi.waitFor(async () => expect(await publishedBy(api)).toBe(100), { timeout: 10_000 });
    process.kill(worker.pid, 'SIGCONT');
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  /** Conversions whose deliveries were never published. */
  const givenUnpublished = async (count: number): Promise<void> => {
    await using proxy = await tcpProxy(stack.broker.url);
    proxy.cut();
    const api = await stack.start('api', { amqpUrl: proxy.url });
    await ledger.register(count);
    await api.kill();
  };

  it('publishes no delivery twice with three relays', async () => {
    const attempts = () => stack.database.em().count(FeedbackAttempt);
    const before = await attempts();
    await givenUnpublished(1_500);
    const relays = await Promise.all(
      Array.from({ length: 3 }, async () => stack.start('api', { ports: await givenPorts() })),
    );
    await relayLooksAgain(stack.database);
    // no leases expire here: a delivery that is published twice was taken twice
    await allDelivered(stack.database);
    const published = await Promise.all(relays.map(publishedBy));
    expect(published.filter((count) => count > 0).length).toBeGreaterThan(1);
    expect(published.reduce((sum, count) => sum + count)).toBe(3_000);
    expect((await attempts()) - before).toBe(3_000);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 90_000);
});
