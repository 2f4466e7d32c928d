import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import { type Opening, superviseConnection } from './connection.ts';

export interface ConsumerOptions {
  readonly url: string;
  /** Unacknowledged messages at a time, per queue. */
  readonly prefetch: number;
  readonly onUp?: () => void;
  readonly onDown?: (reason: unknown) => void;
}

/** `done`: acknowledge the message. `dead`: it can never be handled; dead-letter it. */
type Handled = 'done' | 'dead';

interface QueueConsumerOptions<Queue extends string> extends ConsumerOptions {
  readonly queues: readonly Queue[];
  readonly declare: (channel: Channel) => Promise<void>;
  /** Throws if the message cannot be handled now. */
  readonly handle: (content: Buffer, queue: Queue, headers: unknown) => Promise<Handled>;
}

export interface QueueConsumer extends AsyncDisposable {
  isUp(): boolean;
  /** Number of unacknowledged messages. */
  underWay(): number;
}

interface Consumer {
  readonly channel: Channel;
  readonly consumerTag: string;
}

const drainMaxMs = 20_000;

/**
 * Consumes queues. If `handle` throws, the connection is closed, so that all unacknowledged messages are redelivered
 * on the next one. Disposing stops consuming, waits up to 20 s for open messages, and closes.
 */
export const queueConsumer = <Queue extends string>(options: QueueConsumerOptions<Queue>): QueueConsumer => {
  const underWay = new Set<Promise<void>>();

  const handle = async (channel: Channel, message: ConsumeMessage, queue: Queue): Promise<void> => {
    const handled = await options.handle(message.content, queue, message.properties.headers);
    if (handled === 'done') channel.ack(message);
    else channel.reject(message, false);
  };

  const consume = async ({ connection, fail }: Opening, queue: Queue): Promise<Consumer> => {
    const channel = await connection.createChannel();
    channel.on('error', fail);
    channel.on('close', () => fail(new Error('channel closed')));
    await options.declare(channel);
    await channel.prefetch(options.prefetch);
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (!message) return fail(new Error('the broker cancelled the consumer'));
      const handled = handle(channel, message, queue)
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
    open: (opening) => Promise.all(options.queues.map((queue) => consume(opening, queue))),
  });

  return {
    isUp: () => supervised.current() !== undefined,
    underWay: () => underWay.size,
    async [Symbol.asyncDispose]() {
      const consumers = supervised.current() ?? [];
      await Promise.allSettled(consumers.map(({ channel, consumerTag }) => channel.cancel(consumerTag)));
      await Promise.race([Promise.allSettled(underWay), pause(drainMaxMs, undefined, { ref: false })]);
      await supervised[Symbol.asyncDispose]();
    },
  };
};

export interface PausableConsumer extends QueueConsumer {
  /** Starts or stops consuming. An app that cannot handle messages must not take any. */
  setConsuming(isConsuming: boolean): void;
}

/**
 * A consumer that consumes only while it is told to, and not after it is disposed. A new one waits until the one before has
 * handled its messages: switching on and off opens one connection at a time, and no message that is handled is left out of
 * `underWay`.
 */
export const pausableConsumer = (consume: () => QueueConsumer): PausableConsumer => {
  let consumer: QueueConsumer | undefined;
  let isWanted = false;
  let isDisposed = false;
  let isSwitching = false;
  let switched = Promise.resolve();

  const switchOver = async (): Promise<void> => {
    if (isSwitching) return; // the loop that runs looks again
    isSwitching = true;
    while (isWanted !== (consumer !== undefined)) {
      if (consumer === undefined) consumer = consume();
      else {
        await consumer[Symbol.asyncDispose]();
        consumer = undefined;
      }
    }
    isSwitching = false;
  };
  const want = (isConsuming: boolean): void => {
    isWanted = isConsuming && !isDisposed;
    switched = Promise.all([switched, switchOver()]).then(() => {});
  };

  return {
    setConsuming: want,
    isUp: () => isWanted && consumer?.isUp() === true,
    underWay: () => consumer?.underWay() ?? 0,
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      want(false);
      await switched;
    },
  };
};
