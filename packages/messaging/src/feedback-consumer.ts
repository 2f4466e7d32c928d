import { setTimeout as pause } from 'node:timers/promises';
import { type PlatformName, platformNames } from '@leadback/domain';
import type { Channel, ConsumeMessage } from 'amqplib';
import { readFeedbackMessage } from './feedback-message.ts';
import { type Opening, superviseConnection } from './supervise-connection.ts';
import { declareTopology, feedbackQueues } from './topology.ts';

export interface ConsumerOptions {
  readonly url: string;
  /** Messages that may be under way at once, for each platform. */
  readonly prefetch: number;
  /** Returns when the message has been dealt with; throws when it could not be (the database is away). */
  readonly handle: (feedbackId: number) => Promise<void>;
  /** A message that is not ours or of another version; it is dropped. */
  readonly onForeignMessage?: (platform: PlatformName) => void;
  readonly onUp?: () => void;
  readonly onDown?: (reason: unknown) => void;
}

export interface FeedbackConsumer extends AsyncDisposable {
  isUp(): boolean;
}

interface Consumer {
  readonly channel: Channel;
  readonly consumerTag: string;
}

const drainMaxMs = 20_000;

/**
 * Takes messages from every platform's queue. A message is acknowledged once `handle` has returned; one that `handle`
 * threw at drops the connection, and with it everything under way goes back to the queue until a later connection.
 * Disposing stops taking new messages, waits for those under way, and closes.
 */
export const feedbackConsumer = (options: ConsumerOptions): FeedbackConsumer => {
  const underWay = new Set<Promise<void>>();

  const handle = async (channel: Channel, message: ConsumeMessage, platform: PlatformName): Promise<void> => {
    const feedbackId = readFeedbackMessage(message.content);
    if (feedbackId === undefined) options.onForeignMessage?.(platform);
    else await options.handle(feedbackId);
    channel.ack(message);
  };

  const consume = async ({ connection, fail }: Opening, platform: PlatformName): Promise<Consumer> => {
    const channel = await connection.createChannel();
    channel.on('error', fail);
    channel.on('close', () => fail(new Error('channel closed')));
    await declareTopology(channel);
    await channel.prefetch(options.prefetch);
    const { consumerTag } = await channel.consume(feedbackQueues[platform], (message) => {
      if (!message) return fail(new Error('the broker cancelled the consumer'));
      const handled = handle(channel, message, platform)
        .catch(fail)
        .finally(() => underWay.delete(handled));
      underWay.add(handled);
    });
    return { channel, consumerTag };
  };

  const supervised = superviseConnection<readonly Consumer[]>({
    url: options.url,
    onUp: options.onUp,
    onDown: options.onDown,
    open: (opening) => Promise.all(platformNames.map((platform) => consume(opening, platform))),
  });

  return {
    isUp: () => supervised.current() !== undefined,
    async [Symbol.asyncDispose]() {
      const consumers = supervised.current() ?? [];
      await Promise.allSettled(consumers.map(({ channel, consumerTag }) => channel.cancel(consumerTag)));
      await Promise.race([Promise.allSettled(underWay), pause(drainMaxMs, undefined, { ref: false })]);
      await supervised[Symbol.asyncDispose]();
    },
  };
};
