import type { QueueConsumer } from './queue-consumer.ts';

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
