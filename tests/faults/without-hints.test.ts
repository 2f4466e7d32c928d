import { FeedbackAttempt } from '@leadback/db';
import { tcpProxy } from '@leadback/test-fixtures';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { brokerAdmin } from '../support/broker-admin.ts';
import { violationsAfter } from '../support/facts.ts';
import { areDelivered } from '../support/feedback.ts';
import { givenPorts, givenStack, type RunningApp, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';
import { sumIn } from '../support/metrics.ts';

const deliveredBy = async ({ metrics }: RunningApp) =>
  sumIn(await metrics(), 'leadback_feedback_settled_total', { state: 'delivered' });

describe('deliveries without hints', () => {
  let stack: TestStack;
  let ledger: Ledger;
  let toBroker: Awaited<ReturnType<typeof tcpProxy>>;

  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    toBroker = await tcpProxy(stack.broker.url);
    toBroker.cut();
    await stack.start('api', { amqpUrl: toBroker.url });
  }, 120_000);
  afterEach(() => stack.kill('feedback-worker'));
  afterAll(async () => {
    await toBroker[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  it('arrive if RabbitMQ refused every connection from the start', async () => {
    // a worker is not ready until it reaches RabbitMQ, which only stops roll-outs: it delivers all the same
    await stack.start('feedback-worker', { amqpUrl: toBroker.url, readyPath: '/health' });
    const load = ledger.load(50);
    await load.more(100);
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    await areDelivered(stack.database, entries);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    expect(await stack.timesLogged('feedback-worker', 'consuming from RabbitMQ"')).toBe(0);
    expect(await stack.timesLogged('api', 'connected to RabbitMQ')).toBe(0);
  }, 90_000);

  it('are sent once by three workers that find them at the same time', async () => {
    const attempts = () => stack.database.em().count(FeedbackAttempt);
    const before = await attempts();
    const backlog = await ledger.register(1_500);
    const workers = await Promise.all(
      Array.from({ length: 3 }, async () =>
        stack.start('feedback-worker', { ports: await givenPorts(), platformUrl: stack.sandbox.url }),
      ),
    );
    const load = ledger.load(100);
    await load.more(200);
    const entries = [...backlog, ...(await load.stop())];
    await areDelivered(stack.database, entries);
    expect(await brokerAdmin(stack.broker).waiting()).toBe(0);
    const delivered = await Promise.all(workers.map(deliveredBy));
    expect(delivered.filter((count) => count > 0).length).toBeGreaterThan(1);
    expect(delivered.reduce((sum, count) => sum + count)).toBe(2 * entries.length);
    // no lease ends here: a delivery that is sent twice was claimed twice
    expect((await attempts()) - before).toBe(2 * entries.length);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 120_000);
});
