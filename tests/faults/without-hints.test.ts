import { DeliveryAttempt } from '@leadback/db';
import { eventually, tcpProxy } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { brokerAdmin } from '../support/broker-admin.ts';
import { violationsAfter } from '../support/facts.ts';
import { areDelivered, flowsAgain } from '../support/deliveries.ts';
import { enough } from '../support/long-run.ts';
import { givenPorts, givenStack, type RunningApp, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';
import { sumIn } from '../support/metrics.ts';

const deliveredBy = async ({ metrics }: RunningApp) =>
  sumIn(await metrics(), 'leadback_deliveries_settled_total', { state: 'delivered' });

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
  });
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
  });

  it('are sent once by three workers that find them at the same time', async () => {
    const attempts = () => stack.database.em().count(DeliveryAttempt);
    const before = await attempts();
    const backlog = await ledger.register(enough(600, 1_500));
    const workers = await Promise.all(
      Array.from({ length: 3 }, async () =>
        stack.start('feedback-worker', { ports: await givenPorts(), platformUrl: stack.sandbox.url }),
      ),
    );
    const load = ledger.load(100);
    // the first worker may have delivered the backlog before the others ran
    do await load.more(100);
    while ((await Promise.all(workers.map(deliveredBy))).includes(0));
    const entries = [...backlog, ...(await load.stop())];
    await areDelivered(stack.database, entries);
    expect(await brokerAdmin(stack.broker).waiting()).toBe(0);
    // a worker counts after it stores
    await eventually(async () => {
      const delivered = await Promise.all(workers.map(deliveredBy));
      expect(delivered.reduce((sum, count) => sum + count)).toBe(2 * entries.length);
    });
    // no lease ends here: a delivery that is sent twice was claimed twice
    expect((await attempts()) - before).toBe(2 * entries.length);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('arrive at most two seconds later than with hints', async () => {
    await toBroker.heal();
    await stack.start('feedback-worker', { amqpUrl: toBroker.url });
    await flowsAgain(stack.database, ledger);
    /** From the commit of a conversion until it is delivered everywhere, by PostgreSQL's clock. */
    const seconds = async (): Promise<number> => {
      const entries = await ledger.register(1);
      await areDelivered(stack.database, entries);
      const { rows } = await stack.database.pool.query<{ seconds: number }>(
        `select extract(epoch from max(closed_at - created_at))::float8 as seconds from delivery
         where conversion_id = any($1::bigint[])`,
        [entries.flatMap(({ ids }) => ids)],
      );
      return rows[0]?.seconds ?? 0;
    };
    const withHint = await seconds();
    toBroker.cut();
    let inTime = 0;
    // a busy machine may take longer, but not nearly each time
    for (let time = 0; time < 10 && inTime < 3; time += 1) if ((await seconds()) - withHint <= 2) inTime += 1;
    expect(inTime).toBe(3);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });
});
