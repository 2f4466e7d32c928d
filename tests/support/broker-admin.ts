import type { LocalBroker } from '@leadback/testing/stack';
import { hintExchange, hintQueue } from '@leadback/server/broker';
import { eventually } from '@leadback/testing';
import { type ConfirmChannel, connect } from 'amqplib';
import { expect } from 'vitest';

// a look takes a connection of its own, which costs RabbitMQ more than the work that a test waits for
const patiently = { interval: 250 };

/** Administrator's actions on the broker, harmful ones included. Each uses its own connection, as the broker may restart. */
export const brokerAdmin = ({ url }: Pick<LocalBroker, 'url'>) => {
  const act = async <Result>(action: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> => {
    const connection = await connect(url, { timeout: 5_000 });
    connection.on('error', () => {}); // the action fails as well
    try {
      return await action(await connection.createConfirmChannel());
    } finally {
      await connection.close().catch(() => {});
    }
  };
  const look = () => act((channel) => channel.checkQueue(hintQueue));

  const waiting = async () => (await look()).messageCount;

  return {
    /** The numbers of hints and their consumers. */
    look,
    /** The content of all hints; they stay in their queue. */
    read: () =>
      act(async (channel) => {
        const read: { index: string; text: string }[] = [];
        for (let message = await channel.get(hintQueue); message; message = await channel.get(hintQueue)) {
          read.push({ index: hintQueue, text: `${JSON.stringify(message.properties)} ${message.content.toString()}` });
        }
        return read;
      }),
    /** The number of hints. */
    waiting,
    /** Waits until no hint is left. One that no worker takes stays for a minute. */
    hasEmptied: () => eventually(async () => expect(await waiting()).toBe(0), patiently),
    /** Waits until a worker consumes hints. */
    hasConsumers: () => eventually(async () => expect((await look()).consumerCount).toBeGreaterThan(0), patiently),
    purge: () => act((channel) => channel.purgeQueue(hintQueue)),
    deleteQueue: () => act((channel) => channel.deleteQueue(hintQueue)),
    deleteExchange: () => act((channel) => channel.deleteExchange(hintExchange)),
    unbind: () => act((channel) => channel.unbindQueue(hintQueue, hintExchange, hintQueue)),
    /** Sends these bytes to the workers. */
    publish: (content: Buffer) =>
      act((channel) => {
        channel.publish(hintExchange, hintQueue, content);
        return channel.waitForConfirms();
      }),
  };
};
