import { describe, expect, it } from 'vitest';
import { pausableConsumer, type QueueConsumer } from './consumer.ts';

/** Consumers that have taken a message and are handling it until they are told that it is done. */
const givenConsumers = () => {
  const opened: { isOpen: boolean; finish: () => void }[] = [];
  const consume = (): QueueConsumer => {
    const handled = Promise.withResolvers<void>();
    let messages = 1;
    const its = {
      isOpen: true,
      finish: () => {
        messages = 0;
        handled.resolve();
      },
    };
    opened.push(its);
    return {
      isUp: () => its.isOpen,
      underWay: () => messages,
      [Symbol.asyncDispose]: async () => {
        await handled.promise;
        its.isOpen = false;
      },
    };
  };
  return { opened, open: () => opened.filter(({ isOpen }) => isOpen), consume };
};

describe('a consumer that can be paused', () => {
  it('counts the messages that it still handles after it was told to stop', async () => {
    const { opened, consume } = givenConsumers();
    const consumer = pausableConsumer(consume);
    consumer.setConsuming(true);
    expect([consumer.isUp(), consumer.underWay()]).toEqual([true, 1]);

    consumer.setConsuming(false);
    expect([consumer.isUp(), consumer.underWay()]).toEqual([false, 1]);
    opened[0]?.finish();
    await expect.poll(() => consumer.underWay()).toBe(0);
  });

  it('opens one connection at a time, however often it is switched on and off', async () => {
    const { opened, open, consume } = givenConsumers();
    const consumer = pausableConsumer(consume);
    for (let time = 0; time < 20; time += 1) {
      consumer.setConsuming(true);
      consumer.setConsuming(false);
      await Promise.resolve();
    }
    consumer.setConsuming(true);
    expect(open()).toHaveLength(1);

    opened[0]?.finish();
    await expect.poll(() => opened.length).toBe(2);
    expect(open()).toEqual([opened[1]]);
    expect(consumer.isUp()).toBe(true);
  });

  it('ends with the last message, and consumes no more', async () => {
    const { opened, consume } = givenConsumers();
    const consumer = pausableConsumer(consume);
    consumer.setConsuming(true);
    const disposed = consumer[Symbol.asyncDispose]();
    consumer.setConsuming(true);
    opened[0]?.finish();
    await disposed;
    expect([opened.length, consumer.isUp(), consumer.underWay()]).toEqual([1, false, 0]);
  });
});
