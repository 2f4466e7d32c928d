import { randomBytes } from 'node:crypto';
import { bufferedLeadKeys } from '@leadback/domain';
import { givenVirtualHost, bufferedLead } from '@leadback/test-fixtures';
import { asBrokerUser } from '@leadback/local-stack';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { feedbackConsumer, feedbackPublisher, feedbackQueues, openLeadQueue } from '../src/index.ts';
import { deadLetterQueue, declareLeads, feedbackExchange, leadExchange, leadQueue } from '../src/topology.ts';

type Deed = (channel: ConfirmChannel) => Promise<unknown>;

const consume =
  (queue: string): Deed =>
  (channel) =>
    channel.consume(queue, () => {});
const get =
  (queue: string): Deed =>
  (channel) =>
    channel.get(queue);
const purge =
  (queue: string): Deed =>
  (channel) =>
    channel.purgeQueue(queue);
const remove =
  (queue: string): Deed =>
  (channel) =>
    channel.deleteQueue(queue);
const make =
  (queue: string): Deed =>
  (channel) =>
    channel.assertQueue(queue);
const publish =
  (exchange: string, routingKey: string): Deed =>
  (channel) => {
    channel.publish(exchange, routingKey, Buffer.from('{}'));
    return channel.waitForConfirms();
  };

const deadLeadQueue = 'lead.dead.v1';
const forbidden: readonly (readonly [user: string, what: string, deed: Deed])[] = [
  ['api', 'take feedback', consume(feedbackQueues.meta)],
  ['api', 'look at feedback', get(feedbackQueues.google)],
  ['api', 'throw feedback away', purge(feedbackQueues.tiktok)],
  ['api', 'delete a queue', remove(feedbackQueues.meta)],
  ['api', 'publish past its exchange', publish('', feedbackQueues.meta)],
  ['api', 'read what is dead', get(deadLetterQueue)],
  ['api', 'take leads', consume(leadQueue)],
  ['api', 'publish leads', publish(leadExchange, leadQueue)],
  ['feedback-worker', 'publish feedback', publish(feedbackExchange, 'meta')],
  ['feedback-worker', 'read what is dead', get(deadLetterQueue)],
  ['feedback-worker', 'take leads', consume(leadQueue)],
  ['feedback-worker', 'publish leads', publish(leadExchange, leadQueue)],
  ['feedback-worker', 'delete leads', remove(leadQueue)],
  ['landing', 'take feedback', consume(feedbackQueues.meta)],
  ['landing', 'publish feedback', publish(feedbackExchange, 'meta')],
  ['landing', 'delete feedback', remove(feedbackQueues.meta)],
  ['landing', 'read what is dead', get(deadLeadQueue)],
  ['landing', 'publish past its exchange', publish('', leadQueue)],
  ['operator', 'take feedback', consume(feedbackQueues.meta)],
  ['operator', 'publish feedback', publish(feedbackExchange, 'meta')],
  ['operator', 'read what is dead of feedback', get(deadLetterQueue)],
  ['operator', 'take leads that wait', consume(leadQueue)],
  ['operator', 'throw leads away that wait', purge(leadQueue)],
  ['operator', 'publish past its exchange', publish('', leadQueue)],
  ['operator', 'delete leads', remove(deadLeadQueue)],
  ['operator', 'declare what is there', make(leadQueue)],
  ...['api', 'feedback-worker', 'landing', 'operator'].map(
    (user) => [user, 'make a queue of its own', make('mine')] as const,
  ),
];

const changeWithLockRetry = { timeout: 25_000, interval: 50 };

describe('of the users of RabbitMQ', () => {
  const connections = new Map<string, ChannelModel>();
  beforeAll(async () => {
    const url = await givenVirtualHost();
    for (const user of ['landing', 'api', 'feedback-worker', 'operator']) {
      connections.set(user, await connect(asBrokerUser(url, user)));
    }
    const landing = await connections.get('landing')?.createChannel();
    if (landing) await declareLeads(landing);
  });
  afterAll(() => Promise.all([...connections.values()].map((connection) => connection.close())));

  it.each(forbidden)('%s may not %s', async (user, _what, deed) => {
    const channel = await connections.get(user)?.createConfirmChannel();
    const refused = new Promise<unknown>((resolve) => {
      channel?.once('error', resolve);
    });
    const done = channel && deed(channel);
    await expect(
      Promise.race([
        refused,
        done?.then(
          () => 'allowed',
          () => refused,
        ),
      ]),
    ).resolves.toMatchObject({ code: 403 });
  });

  it('the operator sees what is there, reads leads that are dead, and puts them where they wait', async () => {
    const channel = await connections.get('operator')?.createConfirmChannel();
    for (const exchange of [feedbackExchange, leadExchange, 'feedback.dlx', 'lead.dlx']) {
      await channel?.checkExchange(exchange);
    }
    for (const queue of [...Object.values(feedbackQueues), deadLetterQueue, leadQueue])
      await channel?.checkQueue(queue);
    expect(await channel?.get(deadLeadQueue)).toBe(false);
    channel?.publish(leadExchange, leadQueue, Buffer.from('a lead'), { mandatory: true });
    await channel?.waitForConfirms();
    expect(await channel?.checkQueue(leadQueue)).toMatchObject({ messageCount: 1 });
    await channel?.close();
  });

  it('each makes what it needs, whoever comes first, where somebody has taken all of it away', async () => {
    const url = await givenVirtualHost();
    const administrator = await connect(url);
    const channel = await administrator.createChannel();
    for (const queue of [...Object.values(feedbackQueues), deadLetterQueue]) await channel.deleteQueue(queue);
    for (const exchange of [feedbackExchange, 'feedback.dlx']) await channel.deleteExchange(exchange);
    await administrator.close();

    const taken: number[] = [];
    const written: string[] = [];
    const publisher = feedbackPublisher({ url: asBrokerUser(url, 'api') });
    await vi.waitFor(() => expect(publisher.isUp()).toBe(true), changeWithLockRetry);
    const feedback = [{ feedbackId: 1, connectionId: 7, platform: 'meta' } as const];
    expect(await publisher.publish(feedback)).toEqual([]);
    const consumer = feedbackConsumer({
      url: asBrokerUser(url, 'feedback-worker'),
      prefetch: 1,
      handle: async ({ feedbackId }) => {
        taken.push(feedbackId);
      },
    });
    const mailbox = openLeadQueue({
      url: asBrokerUser(url, 'landing'),
      keys: bufferedLeadKeys([randomBytes(32)]),
      record: async ({ reference }) => {
        written.push(reference);
        return true;
      },
      onDead: () => {},
    });
    mailbox.setConsuming(true);
    await vi.waitFor(async () => expect(await publisher.publish(feedback)).toEqual(feedback), changeWithLockRetry);
    await vi.waitFor(
      async () => expect(await mailbox.enqueue(bufferedLead({ reference: 'A' }))).toBe(true),
      changeWithLockRetry,
    );
    await vi.waitFor(() => expect([taken, written]).toEqual([[1], ['A']]), changeWithLockRetry);
    for (const side of [publisher, consumer, mailbox]) await side[Symbol.asyncDispose]();
  });
});
