import { platformNames } from '@leadback/domain';
import { givenBroker, tcpProxy } from '@leadback/test-fixtures';
import type { LocalBroker } from '@leadback/local-stack';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerAdmin } from '../support/broker-admin.ts';
import { violationsAfter } from '../support/facts.ts';
import { flowsAgain } from '../support/feedback.ts';
import { givenStack, type RunningApp, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';
import { sumIn } from '../support/metrics.ts';

const waitOptions = { timeout: 20_000, interval: 100 };

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
  }, 120_000);
  afterAll(async () => {
    await toBroker[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const leftDue = async () => sumIn(await api.metrics(), 'leadback_feedback_published_total', { outcome: 'left_due' });
  const timed = async (labels: Readonly<Record<string, string>>) =>
    sumIn(await api.metrics(), 'leadback_publish_confirm_seconds_count', labels);
  const dropped = async () => {
    const metrics = await worker.metrics();
    return [sumIn(metrics, 'leadback_foreign_messages_total'), sumIn(metrics, 'leadback_orphan_messages_total')];
  };

  it.each([
    ['the queues were deleted under their consumers', () => admin.deleteQueue()],
    ['the exchange was deleted under its publisher', () => admin.deleteExchange()],
  ])(
    'delivers everything once after %s',
    async (_what, spoil) => {
      await spoil();
      await flowsAgain(stack.database, ledger);
      await admin.hasConsumers();
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    90_000,
  );

  it('keeps deliveries due if the queues are unbound', async () => {
    const before = await leftDue();
    await admin.unbind();
    await ledger.register(1);
    await vi.waitFor(async () => expect(await leftDue()).toBe(before + 2), waitOptions);
    expect(await timed({ by: 'request', outcome: 'left_due' })).toBeGreaterThan(0);
    await flowsAgain(stack.database, ledger);
    expect(await timed({ outcome: 'confirmed' })).toBeGreaterThan(0);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 90_000);

  it('delivers everything once if RabbitMQ blocks publishers for lack of memory', async () => {
    const before = await leftDue();
    await broker.ctl('set_vm_memory_high_watermark', 'absolute', '1MB');
    const load = ledger.load(100);
    await vi.waitFor(async () => expect((await leftDue()) - before).toBeGreaterThan(100), waitOptions);
    expect(await admin.waiting()).toBe(0);
    await broker.ctl('set_vm_memory_high_watermark', 'absolute', '1GB');
    await flowsAgain(stack.database, ledger);
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 90_000);

  it('drops and counts foreign messages and messages without a delivery', async () => {
    const foreign = ['\u00ff\u0000{', '{"v":2,"feedbackId":1}', '{'.repeat(1024 * 1024)];
    const ofNoRow = '{"v":1,"feedbackId":999999999}';
    expect(await dropped()).toEqual([0, 0]);
    for (const content of [...foreign, ofNoRow]) await admin.publish(Buffer.from(content, 'latin1'));
    await flowsAgain(stack.database, ledger);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    expect(await dropped()).toEqual([foreign.length * platformNames.length, platformNames.length]);
  });

  it('keeps deliveries due if the queues are full', async () => {
    await stack.kill('feedback-worker');
    const before = await leftDue();
    await broker.ctl(
      'set_policy',
      '--vhost',
      'leadback',
      'small',
      '^feedback',
      '{"max-length":10}',
      '--apply-to',
      'queues',
    );
    const entries = await ledger.register(200);
    await vi.waitFor(async () => expect(await leftDue()).toBeGreaterThan(before), waitOptions);
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    expect(await admin.waiting()).toBeLessThan(400);
    await broker.ctl('clear_policy', '--vhost', 'leadback', 'small');
    await stack.start('feedback-worker', { amqpUrl: toBroker.url });
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 90_000);

  // last: after several short connections the apps wait longer before they reconnect
  it.each([
    ['reset before its handshake', 'reset', 'AMQP'],
    ['reset during its setup', 'reset', 'feedback.meta.v1'],
    ['ended during its setup', 'end', 'feedback.meta.v1'],
    ['silent before its handshake', 'silence', 'AMQP'],
    ['silent during its setup', 'silence', 'feedback.meta.v1'],
  ] as const)(
    'delivers everything once after a connection was %s',
    async (_what, how, text) => {
      // a silent connection takes long to time out: one of the two is enough
      const broken = toBroker.breakAt(text, how, how === 'silence' ? 1 : 2);
      toBroker.reset();
      await broken;
      await flowsAgain(stack.database, ledger);
      await admin.hasConsumers();
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    90_000,
  );
});
