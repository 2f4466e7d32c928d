import type { FeedbackToSend } from '@leadback/domain';
import { givenBroker, unique } from '@leadback/test-fixtures';
import { asBrokerUser, type LocalBroker } from '@leadback/local-stack';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { feedbackConsumer, feedbackPublisher, feedbackQueues } from '../src/index.ts';

const isUp = (side: { isUp(): boolean }) =>
  vi.waitFor(() => expect(side.isUp()).toBe(true), { timeout: 20_000, interval: 50 });
const meta = (feedbackId: number): FeedbackToSend => ({ feedbackId, connectionId: 7, platform: 'meta' });

describe('feedback messages', () => {
  let broker: LocalBroker;
  beforeAll(async () => {
    broker = await givenBroker();
  });
  afterAll(() => broker[Symbol.asyncDispose]());

  /** A connected publisher and an unstarted consumer on their own virtual host. */
  const givenSides = async (handle: (feedbackId: number) => Promise<void> = async () => {}) => {
    const virtualHost = unique('host');
    const url = await broker.addVirtualHost(virtualHost);
    const handled: number[] = [];
    const onDown = vi.fn<(reason: unknown) => void>();
    const publisher = feedbackPublisher({ url: asBrokerUser(url, 'api'), onDown });
    await isUp(publisher);
    return {
      publisher,
      onDown,
      handled,
      consume: () =>
        feedbackConsumer({
          url: asBrokerUser(url, 'feedback-worker'),
          prefetch: 10,
          handle: async ({ feedbackId }) => {
            await handle(feedbackId);
            handled.push(feedbackId);
          },
        }),
      ctl: (command: string, ...args: string[]) => broker.ctl('--quiet', command, '--vhost', virtualHost, ...args),
      [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
    };
  };

  it('keeps feedback messages until a consumer connects', async () => {
    await using sides = await givenSides();
    const feedback = [meta(1), meta(2), { feedbackId: 3, platform: 'google' as const }];
    expect(await sides.publisher.publish(feedback)).toEqual(feedback);
    expect(await sides.publisher.queueLength('meta')).toBe(2);
    await using _consumer = sides.consume();
    await vi.waitFor(() => expect(new Set(sides.handled)).toEqual(new Set([1, 2, 3])), { timeout: 10_000 });
  });

  it('redelivers a feedback message whose handler failed', async () => {
    let tries = 0;
    await using sides = await givenSides(async () => {
      tries += 1;
      if (tries <= 2) throw new Error('PostgreSQL unavailable');
    });
    await using _consumer = sides.consume();
    await sides.publisher.publish([meta(7)]);
    await vi.waitFor(() => expect(sides.handled).toEqual([7]), { timeout: 15_000 });
    expect(tries).toBe(3);
  });

  it('finishes open feedback messages before the consumer closes', async () => {
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await using sides = await givenSides(async () => {
      arrived.resolve();
      await gate.promise;
    });
    const consumer = sides.consume();
    await sides.publisher.publish([meta(1)]);
    await arrived.promise;
    const closed = consumer[Symbol.asyncDispose]();
    gate.resolve();
    await closed;
    expect(sides.handled).toEqual([1]);
    // RabbitMQ updates its counters every five seconds
    await vi.waitFor(
      async () => expect(await sides.ctl('list_queues', 'name', 'messages')).toContain(`${feedbackQueues.meta}\t0`),
      { timeout: 20_000 },
    );
  });

  it('does not confirm feedback messages without a queue', async () => {
    await using sides = await givenSides();
    await sides.ctl('delete_queue', feedbackQueues.meta);
    expect(await sides.publisher.publish([meta(1)])).toEqual([]);
  });

  it('publishes to other platforms while the queue of one is missing, and to that one once it exists', async () => {
    await using sides = await givenSides();
    await sides.ctl('delete_queue', feedbackQueues.meta);
    expect(await sides.publisher.queueLength('meta')).toBe(undefined);
    const google: FeedbackToSend = { feedbackId: 2, connectionId: 8, platform: 'google' };
    expect(await sides.publisher.publish([meta(1), google])).toEqual([google]);
    expect(sides.onDown).not.toHaveBeenCalled();
    await using _consumer = sides.consume();
    await vi.waitFor(async () => expect(await sides.publisher.publish([meta(1)])).toEqual([meta(1)]), {
      timeout: 20_000,
    });
    expect(sides.onDown).not.toHaveBeenCalled();
  });

  it('loses no confirmed feedback message when RabbitMQ is killed', async () => {
    await using sides = await givenSides();
    const ids = Array.from({ length: 500 }, (_, index) => index + 1);
    expect(await sides.publisher.publish(ids.map(meta))).toHaveLength(500);
    await broker.kill();
    expect(await sides.publisher.publish([meta(9_999)])).toEqual([]);
    await broker.start();
    await using _consumer = sides.consume();
    await vi.waitFor(() => expect(new Set(sides.handled)).toEqual(new Set(ids)), { timeout: 40_000 });
  }, 90_000);
});
