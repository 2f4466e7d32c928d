import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Delivery } from '@leadback/db';
import { eventually, testMaxMs, waitMaxMs } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { failpoint, wire } from '../support/failpoint.ts';
import { claimedCount, expireClaimsOfKilled, expireLeases, retriesComeDue } from '../support/deliveries.ts';
import { enough, firstOf } from '../support/long-run.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';

// long run: `WORKER_KILLS=50 pnpm exec vitest run tests/faults/worker-killed.test.ts`; a start takes a second
const killsCount = Number(process.env['WORKER_KILLS'] ?? 4);
const killWithinMs = 1_000;

describe('deliveries and worker crashes', () => {
  let stack: TestStack;
  let ledger: Ledger;

  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    await stack.start('api');
  });
  afterEach(() => stack.kill('feedback-worker'));

  // from all kills so far
  let duplicatesMax = 0;
  const violations = (ofThisTest: number) => {
    duplicatesMax += ofThisTest;
    return violationsAfter(stack, ledger, { duplicatesMax });
  };
  afterAll(() => stack[Symbol.asyncDispose]());

  const moments = [
    ['after it claims deliveries', { moment: 'hearing', text: wire.postgres.idle, onceSaid: 'claim-parcels' }, false],
    ['after a platform accepts its events', { moment: 'hearing', text: 'HTTP/1.1 200', onceSaid: 'POST /v' }, true],
    ['before it saves outcomes', { moment: 'saying', text: 'settle-parcels' }, true],
    ['before its first request', { moment: 'saying', text: 'POST /v' }, false],
    ['after it saves outcomes', { moment: 'hearing', text: wire.postgres.idle, onceSaid: 'settle-parcels' }, true],
    ['before it acknowledges a hint', { moment: 'saying', text: wire.amqp.ack }, true],
  ] as const;
  it.each(firstOf(3, moments))('delivers everything if the worker is killed %s', async (_when, point, hasSent) => {
    const { module, mark } = failpoint(point);
    const worker = await stack.start('feedback-worker', { imports: [module] });
    await ledger.register(20);
    expect(await worker.exited).toBe('SIGKILL');
    expect(await stack.timesLogged('feedback-worker', mark)).toBe(1);

    const claimed = await expireClaimsOfKilled(stack.database);
    await stack.start('feedback-worker');
    expect(await violations(hasSent ? claimed : 0)).toEqual([]);
  });

  it.each(firstOf(0, ['at random moments under load']))(
    'delivers everything if the worker is killed %s',
    async () => {
      const load = ledger.load(enough(40, 100));
      for (let kill = 0; kill < killsCount; kill += 1) {
        const worker = await stack.start('feedback-worker');
        await pause(randomInt(killWithinMs));
        await worker.kill();
      }
      await load.stop();
      // each only once: no lease has ended yet
      const claimed = await expireClaimsOfKilled(stack.database);
      await stack.start('feedback-worker');
      expect(await violations(claimed)).toEqual([]);
    },
    testMaxMs + killsCount * 10_000,
  );

  it('fails only the delivery that crashes the worker repeatedly', async () => {
    const entries = await ledger.register(12);
    const [poison] = entries;
    const { module, mark } = failpoint({ moment: 'saying', text: `"order_id":"${poison?.reference}"` });
    const ofEntries = { conversion: { $in: entries.flatMap(({ ids }) => ids) } };
    const em = () => stack.database.em();
    const allSettled = () =>
      eventually(async () => expect(await em().count(Delivery, { ...ofEntries, state: 'pending' })).toBe(0), {
        interval: 250,
      });

    let deaths = 0;
    for (let isAlive = false; !isAlive && deaths <= 5; ) {
      // a worker that gets it at once may die before it is ready
      const worker = await stack.start('feedback-worker', { imports: [module] }).catch(() => undefined);
      await expireLeases(stack.database);
      isAlive = (await Promise.race([worker?.exited, allSettled().then(() => 'alive')])) === 'alive';
      if (!isAlive) deaths += 1;
    }
    // fewer if a worker claimed it twice, because leases expire at once here
    expect(deaths).toBeLessThanOrEqual(5);
    expect(await stack.timesLogged('feedback-worker', mark)).toBe(deaths);
    const failed = await em().find(Delivery, { ...ofEntries, state: 'failed' }, { populate: ['connection'] });
    expect(failed.map(({ conversion, reason, connection }) => [conversion?.id, reason, connection.$.platform])).toEqual(
      [[poison?.ids[0], 'crashed', 'meta']],
    );
    expect(await violations((deaths + 1) * 2 * entries.length)).toEqual([]);
  });
});

describe('deliveries in a request', () => {
  it('stops a worker during a request to a platform that never responds, and retries its deliveries', async () => {
    await using stack = await givenStack();
    const ledger = await givenLedger(stack, 1);
    await stack.start('api');
    await ledger.register(20);
    await stack.sandbox.behave({ platform: 'meta', answer: 'time-out' });
    const worker = await stack.start('feedback-worker');
    await eventually(async () => expect(await claimedCount(stack.database)).toBeGreaterThan(0));
    // not `stop`, which kills after ten seconds: a request can take longer
    process.kill(worker.pid, 'SIGTERM');
    expect(await Promise.race([worker.exited, pause(waitMaxMs, 'still running')])).toBe('status 0');

    await stack.sandbox.behave({ platform: 'meta', answer: 'ok' });
    await stack.start('feedback-worker');
    await retriesComeDue(stack.database);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });
});
