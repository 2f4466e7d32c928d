import type { QueueConsumer } from './queue-consumer.ts';

export interface PausableConsumer extends QueueConsumer {
  /** Starts or stops consuming. An app that cannot handle messages must not take any. */
  setConsuming(isConsuming: boolean): void;
}

/** A consumer that consumes only while it is told to, and not after it is disposed. */
export const pausableConsumer = (consume: () => QueueConsumer): PausableConsumer => {
  let consumer: QueueConsumer | undefined;
  let stopping = Promise.resolve();
  let isDisposed = false;

  const stop = (): void => {
    const last = consumer;
    consumer = undefined;
    stopping = Promise.all([stopping, last?.[Symbol.asyncDispose]()]).then(() => {});
  };

  return {
    setConsuming(isConsuming) {
      if (!isConsuming) stop();
      else if (!isDisposed) consumer ??= consume();
    },
    isUp: () => consumer?.isUp() ?? false,
    underWay: () => consumer?.underWay() ?? 0,
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      stop();
      await stopping;
    },
  };
};
