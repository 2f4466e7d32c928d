import { platformNames } from '@leadback/domain';
import type { LocalBroker } from '@leadback/local-stack';
import { deadLetterQueue, feedbackExchange, feedbackQueues } from '@leadback/messaging';
import { type ConfirmChannel, connect } from 'amqplib';
import { expect, vi } from 'vitest';

const queues = Object.values(feedbackQueues);

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
  const look = () =>
    act((channel) => Promise.all([...queues, deadLetterQueue].map((queue) => channel.checkQueue(queue))));

  const waiting = async () => (await look()).reduce((sum, { messageCount }) => sum + messageCount, 0);

  return {
    /** The numbers of messages and consumers of each queue. */
    look,
    /** The content of all messages, dead-lettered ones included; they stay in their queues. */
    read: () =>
      act(async (channel) => {
        const read: { index: string; text: string }[] = [];
        for (const queue of [...queues, deadLetterQueue]) {
          for (let message = await channel.get(queue); message; message = await channel.get(queue)) {
            read.push({ index: queue, text: `${JSON.stringify(message.properties)} ${message.content.toString()}` });
          }
        }
        return read;
      }),
    /** The number of messages, dead-lettered ones included. */
    waiting,
    /** Waits until all queues are empty. */
    hasEmptied: () => vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 50 }),
    /** Waits until the queue of every platform has a consumer. */
    hasConsumers: () =>
      vi.waitFor(
        async () => {
          const ofWorkers = (await look()).slice(0, queues.length);
          expect(ofWorkers.filter(({ consumerCount }) => consumerCount !== 1)).toEqual([]);
        },
        { timeout: 30_000, interval: 100 },
      ),
    purge: () => act((channel) => Promise.all(queues.map((queue) => channel.purgeQueue(queue)))),
    deleteQueues: () => act((channel) => Promise.all(queues.map((queue) => channel.deleteQueue(queue)))),
    deleteExchange: () => act((channel) => channel.deleteExchange(feedbackExchange)),
    unbind: () =>
      act((channel) =>
        Promise.all(
          platformNames.map((platform) => channel.unbindQueue(feedbackQueues[platform], feedbackExchange, platform)),
        ),
      ),
    /** Sends these bytes to the workers of every platform. */
    publish: (content: Buffer) =>
      act((channel) => {
        for (const platform of platformNames) channel.publish(feedbackExchange, platform, content);
        return channel.waitForConfirms();
      }),
  };
};
