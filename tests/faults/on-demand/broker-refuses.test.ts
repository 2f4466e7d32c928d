import { eventually, givenBroker, tcpProxy } from '@leadback/testing';
import type { LocalBroker } from '@leadback/testing/stack';
import { hintQueue } from '@leadback/server/broker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerAdmin } from '../../support/broker-admin.ts';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered, flowsAgain } from '../../support/deliveries.ts';
import { firstOf } from '../../support/long-run.ts';
import { givenStack, type RunningApp, type TestStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { sumIn } from '../../support/metrics.ts';

describe('deliveries and a faulty RabbitMQ', () => {
  let broker: LocalBroker;
  let stack: TestStack;
  let ledger: Ledger;
  let admin: ReturnType<typeof brokerAdmin>;
  let toBroker: Awaited<ReturnType<typeof tcpProxy>>;
  let api: RunningApp;
  let worker: RunningApp;

  beforeAll(async () => {
    broker = await givenBroker();
    stack = await givenStack(broker);
    ledger = await givenLedger(stack);
    admin = brokerAdmin(broker);
    toBroker = await tcpProxy(broker.url);
    const amqpUrl = toBroker.url;
    [api, worker] = await Promise.all([stack.start('api', { amqpUrl }), stack.start('feedback-worker', { amqpUrl })]);
    await flowsAgain(stack.database, ledger);
  });
  afterAll(async () => {
    await toBroker[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const unconfirmed = async () => sumIn(await api.metrics(), 'leadback_hints_total', { outcome: 'unconfirmed' });
  const dropped = async () => sumIn(await worker.metrics(), 'leadback_foreign_messages_total');

  it.each([
    ['the queue was deleted under its consumers', () => admin.deleteQueue()],
    ['the exchange was deleted under its publisher', () => admin.deleteExchange()],
  ])('delivers everything once after %s', async (_what, spoil) => {
    await spoil();
    await flowsAgain(stack.database, ledger);
    await admin.hasConsumers();
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('delivers without a hint, which counts as unconfirmed, if the queue is unbound', async () => {
    const before = await unconfirmed();
    await admin.unbind();
    await areDelivered(stack.database, await ledger.register(1));
    // RabbitMQ may return the hint after the delivery
    await eventually(async () => expect(await unconfirmed()).toBe(before + 1));
    await flowsAgain(stack.database, ledger);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('delivers everything once if RabbitMQ blocks publishers for lack of memory', async () => {
    const before = await unconfirmed();
    await broker.ctl('set_vm_memory_high_watermark', 'absolute', '1MB');
    const load = ledger.load(100);
    await eventually(async () => expect((await unconfirmed()) - before).toBeGreaterThan(20));
    await eventually(async () => expect(await admin.waiting()).toBe(0));
    await areDelivered(stack.database, await ledger.register(4));
    await broker.ctl('set_vm_memory_high_watermark', 'absolute', '1GB');
    await flowsAgain(stack.database, ledger);
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('drops and counts foreign messages, and ignores hints about parcels that do not exist', async () => {
    const foreign = ['\u00ff\u0000{', '{"v":1,"deliveryId":1}', '{'.repeat(1024 * 1024)];
    const ofNoParcel = '{"v":2,"parcels":[[999999999,999999,1]]}';
    expect(await dropped()).toBe(0);
    for (const content of [...foreign, ofNoParcel]) await admin.publish(Buffer.from(content, 'latin1'));
    await flowsAgain(stack.database, ledger);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    expect(await dropped()).toBe(foreign.length);
  });

  it('delivers everything once if each hint arrives three times', async () => {
    await stack.kill('feedback-worker');
    await ledger.register(50);
    const { rows } = await stack.database.pool.query<{ hint: string }>(
      `select json_build_object('v', 2, 'parcels', json_agg(json_build_array(id, connection_id, cardinality(delivery_ids))))
         ::text as hint from delivery_due`,
    );
    for (const { hint } of [...rows, ...rows]) await admin.publish(Buffer.from(hint));
    worker = await stack.start('feedback-worker', { amqpUrl: toBroker.url });
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('delivers everything once if the queue is full and drops hints', async () => {
    await stack.kill('feedback-worker');
    const small = ['small', '^delivery', '{"max-length":3}', '--apply-to', 'queues'] as const;
    await broker.ctl('set_policy', '--vhost', 'leadback', ...small);
    const load = ledger.load(100);
    await load.more(100);
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    expect(await admin.waiting()).toBeLessThan(20);
    await broker.ctl('clear_policy', '--vhost', 'leadback', 'small');
    worker = await stack.start('feedback-worker', { amqpUrl: toBroker.url });
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  // last: after several short connections the apps wait longer before they reconnect
  const breaks = [
    ['reset during its setup', 'reset', hintQueue],
    ['silent before its handshake', 'silence', 'AMQP'],
    ['reset before its handshake', 'reset', 'AMQP'],
    ['ended during its setup', 'end', hintQueue],
    ['silent during its setup', 'silence', hintQueue],
  ] as const;
  it.each(firstOf(2, breaks))('delivers everything once after a connection was %s', async (_what, how, text) => {
    // a silent connection takes long to time out: one of the two is enough
    const broken = toBroker.breakAt(text, how, how === 'silence' ? 1 : 2);
    toBroker.reset();
    await broken;
    await flowsAgain(stack.database, ledger);
    await admin.hasConsumers();
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });
});
