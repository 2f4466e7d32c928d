import { type PlatformName, platformNames } from '@leadback/domain';
import { eventually, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker } from './given-worker.ts';

const eventId = z.string().optional();
const receivedSchema = z.array(
  z.object({ event: z.looseObject({ event_id: eventId, transactionId: eventId, eventId }) }),
);

describe('an event', async () => {
  const worker = await shared(givenWorker());

  const forgetReceived = () => fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
  const received = async () =>
    receivedSchema.parse(await (await fetch(`${worker.sandbox.url}/events`)).json()).map(({ event }) => event);
  const receivedIds = async () =>
    (await received()).map((event) => event.event_id ?? event.transactionId ?? event.eventId);

  /** Sends an event that the platform accepts twice, because its first response is lost. */
  const deliverTwice = async (platform: PlatformName) => {
    await forgetReceived();
    await worker.behave({ platform, answer: 'accepted-but-lost', times: 1 });
    const { id: deliveryId } = await worker.givenDelivery({ connection: { platform }, eventId: 'order-8731' });
    await worker.deliver([deliveryId]);
    await worker.makeDue([deliveryId]);
    await worker.deliver([deliveryId]);
    // the worker may have found it by itself
    await eventually(async () =>
      expect(await worker.stored(deliveryId)).toMatchObject({ state: 'delivered', attempts: 2 }),
    );
  };

  it.each(platformNames)('an event is the same at %s on every attempt', async (platform) => {
    await deliverTwice(platform);
    const [last, first, ...more] = await received();
    expect(first).toEqual(last);
    expect(more).toEqual([]);
  });

  it.each(platformNames.filter((name) => name !== 'microsoft'))(
    'an event has the stored event id at %s, on every attempt',
    async (platform) => {
      await deliverTwice(platform);
      expect(await receivedIds()).toEqual(['order-8731', 'order-8731']);
    },
  );
});
