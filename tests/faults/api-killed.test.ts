import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, testMaxMs } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { failpoint, wire } from '../support/failpoint.ts';
import { enough, firstOf, randomFrom } from '../support/long-run.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';

// long run: `API_KILLS=500 pnpm exec vitest run tests/faults/api-killed.test.ts`; a start takes a second
const killsCount = Number(process.env['API_KILLS'] ?? 6);
const killSeed = Number(process.env['API_KILL_SEED'] ?? randomInt(2 ** 31));
const killWithinMs = 700;

describe('accepted conversions and api crashes', () => {
  let stack: TestStack;
  let ledger: Ledger;

  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    await stack.start('feedback-worker');
  });
  afterEach(() => stack.kill('api'));
  afterAll(() => stack[Symbol.asyncDispose]());

  const storedCount = async () => (await stack.database.pool.query('select id from conversion')).rowCount ?? 0;

  /** The number of connections from an api to RabbitMQ. */
  const brokerConnections = () => stack.timesLogged('api', 'connected to RabbitMQ');

  // four requests, the last two with idempotency keys, which commit in their own transaction
  const register = 'register-conversions';
  const moments = [
    ['before it commits', { moment: 'saying', text: wire.postgres.commit, onceSaid: 'lock-idempotency-keys' }, 2],
    ['after it commits', { moment: 'hearing', text: wire.postgres.idle, onceSaid: register }, 1],
    ['before it writes anything', { moment: 'saying', text: register }, 0],
    ['before it publishes a hint about what it committed', { moment: 'saying', text: wire.amqp.publish }, 1],
  ] as const;
  it.each(firstOf(2, moments))(
    'delivers accepted conversions once if the api is killed %s',
    async (_when, point, storedByThen) => {
      const { module, mark } = failpoint(point);
      const connectionsBefore = await brokerConnections();
      const api = await stack.start('api', { imports: [module] });
      await eventually(async () => expect(await brokerConnections()).toBeGreaterThan(connectionsBefore));
      const before = await storedCount();
      const entries = [];
      while (entries.length < 4) entries.push(...(await ledger.register(1)));
      expect(await api.exited).toBe('SIGKILL');
      expect(await stack.timesLogged('api', mark)).toBe(1);
      expect((await storedCount()) - before).toBe(storedByThen);

      await stack.start('api');
      await ledger.repeat(entries);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
  );

  it.each(firstOf(0, [`at random moments under load (seed ${killSeed})`]))(
    'delivers accepted conversions once if the api is killed %s',
    async () => {
      const random = randomFrom(killSeed);
      const unanswered = [];
      for (let kill = 0; kill < killsCount; kill += 1) {
        const api = await stack.start('api');
        const load = ledger.load(enough(150, Number.POSITIVE_INFINITY));
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
    testMaxMs + killsCount * 5_000,
  );

  it.each(firstOf(1, ['hearing', 'heard'] as const))(
    'delivers accepted conversions once if the api is killed when a hint is confirmed (%s)',
    async (moment) => {
      const { module, mark } = failpoint({ moment, text: wire.amqp.ack, onceSaid: wire.amqp.publish });
      const connectionsBefore = await brokerConnections();
      const api = await stack.start('api', { imports: [module] });
      await eventually(async () => expect(await brokerConnections()).toBeGreaterThan(connectionsBefore));
      const entries = await ledger.register(4);
      expect(await api.exited).toBe('SIGKILL');
      expect(await stack.timesLogged('api', mark)).toBe(1);

      await stack.start('api');
      await ledger.repeat(entries);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
  );
});
