import { platformNames } from '@leadback/domain';
import type { LocalBroker } from '@leadback/local-stack';
import { deadLetterQueue, feedbackExchange, feedbackQueues } from '@leadback/messaging';
import { type ConfirmChannel, connect } from 'amqplib';
import { expect, vi } from 'vitest';

const queues = Object.values(feedbackQueues);

/** What an operator may do at the broker, rightly or not. Each act has a connection of its own, as the broker may come and go. */
export const brokerAdmin = ({ url }: Pick<LocalBroker, 'url'>) => {
  const act = async <Result>(deed: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> => {
    const connection = await connect(url, { timeout: 5_000 });
    connection.on('error', () => {}); // what was asked for fails as well
    try {
      return await deed(await connection.createConfirmChannel());
    } finally {
      await connection.close().catch(() => {});
    }
  };
  const look = () =>
    act((channel) => Promise.all([...queues, deadLetterQueue].map((queue) => channel.checkQueue(queue))));

  const waiting = async () => (await look()).reduce((sum, { messageCount }) => sum + messageCount, 0);

  return {
    /** How many messages wait in each queue, and how many consumers it has. */
    look,
    /** All that messages which wait, dead ones among them, tell; they stay where they are. */
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
    /** How many messages wait, dead ones among them. */
    waiting,
    /** Waits until all of them are taken. */
    hasEmptied: () => vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 50 }),
    /** Waits until every platform's queue has a consumer again. */
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
