import { eventually, givenBroker, tcpProxy, testMaxMs } from '@leadback/testing';
import type { LocalBroker } from '@leadback/testing/stack';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { brokerAdmin } from '../support/broker-admin.ts';
import { violationsAfter } from '../support/facts.ts';
import { areDelivered, flowsAgain } from '../support/deliveries.ts';
import { firstOf } from '../support/long-run.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';

// longer: `npm run test:long -- broker-lost` registers for a minute meanwhile
const duringLoss = Number(process.env['BROKER_LOST_CONVERSIONS'] ?? 50);

describe('accepted conversions and the loss of RabbitMQ', () => {
  let broker: LocalBroker;
  let stack: TestStack;
  let ledger: Ledger;
  let admin: ReturnType<typeof brokerAdmin>;
  let toBroker: Awaited<ReturnType<typeof tcpProxy>>;

  beforeAll(async () => {
    broker = await givenBroker();
    stack = await givenStack(broker);
    ledger = await givenLedger(stack);
    admin = brokerAdmin(broker);
    toBroker = await tcpProxy(broker.url);
    await stack.start('api', { amqpUrl: toBroker.url });
  });
  afterEach(() => stack.kill('feedback-worker'));
  afterAll(async () => {
    await toBroker[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const startWorker = () => stack.start('feedback-worker', { amqpUrl: toBroker.url });
  // in one command: each one starts an Erlang VM first, which takes a busy machine many seconds
  const closeAll = (times: number) =>
    broker.ctl(
      'eval',
      `[begin
          [rabbit_networking:close_connection(Pid, "a test") || Pid <- rabbit_networking:connections()],
          timer:sleep(500)
        end || _ <- lists:seq(1, ${times})].`,
    );
  const losses = () =>
    Promise.all([
      stack.timesLogged('api', 'no connection to RabbitMQ'),
      stack.timesLogged('feedback-worker', 'not consuming'),
    ]);

  const outages: readonly [string, lose: () => Promise<unknown>, recover: () => Promise<unknown>][] = [
    ['is killed and started', () => broker.kill(), () => broker.start()],
    ['stops responding with every connection open', async () => toBroker.blackHole(), () => toBroker.heal()],
    ['is stopped and started', () => broker.ctl('stop_app'), () => broker.ctl('start_app')],
    ['closes every connection ten times', () => closeAll(1), () => closeAll(9)],
  ];
  it.each(firstOf(1, outages))(
    'delivers accepted conversions once, within 30 s, if RabbitMQ %s under load',
    async (_outage, lose, recover) => {
      await startWorker();
      const [ofApi, ofWorker] = await losses();
      const load = ledger.load(100);
      await load.more(30);
      await lose();
      await load.more(duringLoss);
      await eventually(async () => {
        const [api, worker] = await losses();
        expect(api).toBeGreaterThan(ofApi);
        expect(worker).toBeGreaterThan(ofWorker);
      });
      // workers find due deliveries themselves
      await areDelivered(stack.database, await ledger.register(4));
      await recover();
      await flowsAgain(stack.database, ledger);
      await admin.hasConsumers();
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    testMaxMs + 100 * duringLoss,
  );

  const deletions: [string, () => Promise<unknown>][] = [
    ['the hints are purged', () => admin.purge()],
    ['the queue of hints is deleted', () => admin.deleteQueue()],
    [
      'all data of RabbitMQ are lost',
      async () => {
        for (const step of ['stop_app', 'force_reset', 'start_app']) await broker.ctl(step);
      },
    ],
  ];
  it.each(firstOf(1, deletions))('delivers accepted conversions once if %s', async (_what, lose) => {
    await eventually(
      async () => {
        await ledger.register(10);
        expect(await admin.waiting()).toBeGreaterThan(0);
      },
      { interval: 500 },
    );
    await lose();
    await startWorker();
    await flowsAgain(stack.database, ledger);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });
});
