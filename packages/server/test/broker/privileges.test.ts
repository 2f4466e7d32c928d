import { randomBytes } from 'node:crypto';
import { bufferedLeadKeys } from '@leadback/domain/keys';
import { eventually, givenVirtualHost, bufferedLead } from '@leadback/testing';
import { asBrokerUser } from '@leadback/testing/stack';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hintConsumer, hintPublisher, openLeadQueue } from '../../src/broker/index.ts';
import { declareLeads, hintExchange, hintQueue, leadExchange, leadQueue } from '../../src/broker/topology.ts';

type Operation = (channel: ConfirmChannel) => Promise<unknown>;

const consume =
  (queue: string): Operation =>
  (channel) =>
    channel.consume(queue, () => {});
const get =
  (queue: string): Operation =>
  (channel) =>
    channel.get(queue);
const purge =
  (queue: string): Operation =>
  (channel) =>
    channel.purgeQueue(queue);
const remove =
  (queue: string): Operation =>
  (channel) =>
    channel.deleteQueue(queue);
const make =
  (queue: string): Operation =>
  (channel) =>
    channel.assertQueue(queue);
const publish =
  (exchange: string, routingKey: string): Operation =>
  (channel) => {
    channel.publish(exchange, routingKey, Buffer.from('{}'));
    return channel.waitForConfirms();
  };

const deadLeadQueue = 'lead.dead.v1';
const forbidden: readonly (readonly [user: string, what: string, operation: Operation])[] = [
  ['api', 'consume hints', consume(hintQueue)],
  ['api', 'read hints', get(hintQueue)],
  ['api', 'purge hints', purge(hintQueue)],
  ['api', 'delete a queue', remove(hintQueue)],
  ['api', 'publish to the default exchange', publish('', hintQueue)],
  ['api', 'consume leads', consume(leadQueue)],
  ['api', 'publish leads', publish(leadExchange, leadQueue)],
  ['feedback-worker', 'publish hints', publish(hintExchange, hintQueue)],
  ['feedback-worker', 'consume leads', consume(leadQueue)],
  ['feedback-worker', 'publish leads', publish(leadExchange, leadQueue)],
  ['feedback-worker', 'delete leads', remove(leadQueue)],
  ['landing', 'consume hints', consume(hintQueue)],
  ['landing', 'publish hints', publish(hintExchange, hintQueue)],
  ['landing', 'delete hints', remove(hintQueue)],
  ['landing', 'read dead letters', get(deadLeadQueue)],
  ['landing', 'publish to the default exchange', publish('', leadQueue)],
  ['operator', 'consume hints', consume(hintQueue)],
  ['operator', 'publish hints', publish(hintExchange, hintQueue)],
  ['operator', 'consume buffered leads', consume(leadQueue)],
  ['operator', 'purge buffered leads', purge(leadQueue)],
  ['operator', 'publish to the default exchange', publish('', leadQueue)],
  ['operator', 'delete leads', remove(deadLeadQueue)],
  ['operator', 'declare an existing queue', make(leadQueue)],
  ...['api', 'feedback-worker', 'landing', 'operator'].map((user) => [user, 'create a queue', make('mine')] as const),
];

describe('RabbitMQ users', () => {
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

  it.each(forbidden)('does not let the RabbitMQ user %s %s', async (user, _what, operation) => {
    const channel = await connections.get(user)?.createConfirmChannel();
    const refused = new Promise<unknown>((resolve) => {
      channel?.once('error', resolve);
    });
    const done = channel && operation(channel);
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

  it('lets the operator inspect the topology and replay dead-lettered leads', async () => {
    const channel = await connections.get('operator')?.createConfirmChannel();
    for (const exchange of [hintExchange, leadExchange, 'lead.dlx']) {
      await channel?.checkExchange(exchange);
    }
    for (const queue of [hintQueue, leadQueue]) await channel?.checkQueue(queue);
    expect(await channel?.get(deadLeadQueue)).toBe(false);
    channel?.publish(leadExchange, leadQueue, Buffer.from('a lead'), { mandatory: true });
    await channel?.waitForConfirms();
    expect(await channel?.checkQueue(leadQueue)).toMatchObject({ messageCount: 1 });
    await channel?.close();
  });

  it('recreates deleted queues and exchanges with the permissions of each app', async () => {
    const url = await givenVirtualHost();
    const administrator = await connect(url);
    const channel = await administrator.createChannel();
    await channel.deleteQueue(hintQueue);
    await channel.deleteExchange(hintExchange);
    await administrator.close();

    const taken: number[] = [];
    const written: string[] = [];
    const publisher = hintPublisher({ url: asBrokerUser(url, 'api') });
    await eventually(() => expect(publisher.isUp()).toBe(true));
    const parcels = [{ id: 1, connectionId: 7, size: 1 }];
    expect(await publisher.publish(parcels)).toBe(false);
    const consumer = hintConsumer({
      url: asBrokerUser(url, 'feedback-worker'),
      prefetch: 1,
      handle: async ([parcel]) => {
        taken.push(parcel?.id ?? 0);
      },
    });
    consumer.setConsuming(true);
    const leads = openLeadQueue({
      url: asBrokerUser(url, 'landing'),
      keys: bufferedLeadKeys([randomBytes(32)]),
      record: async ({ reference }) => {
        written.push(reference);
        return true;
      },
      onDead: () => {},
    });
    leads.setConsuming(true);
    await eventually(async () => expect(await publisher.publish(parcels)).toBe(true));
    await eventually(async () => expect(await leads.enqueue(bufferedLead({ reference: 'A' }))).toBe(true));
    await eventually(() => expect([taken, written]).toEqual([[1], ['A']]));
    for (const side of [publisher, consumer, leads]) await side[Symbol.asyncDispose]();
  });
});
