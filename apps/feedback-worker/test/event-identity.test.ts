import { platformNames } from '@leadback/domain';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { givenWorker, type TestWorker } from './given-worker.ts';

const receivedSchema = z.array(
  z.object({ event: z.object({ event_id: z.string().optional(), transactionId: z.string().optional() }) }),
);

describe('an event', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await givenWorker();
  });
  afterAll(() => worker[Symbol.asyncDispose]());

  const forgetReceived = () => fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
  const received = async () =>
    receivedSchema
      .parse(await (await fetch(`${worker.sandbox.url}/events`)).json())
      .map(({ event }) => event.event_id ?? event.transactionId);

  it.each(platformNames)('an event has the stored event id at %s, on every attempt', async (platform) => {
    await forgetReceived();
    await worker.behave({ platform, answer: 'accepted-but-lost', times: 1 });
    const { id } = await worker.givenFeedback({ connection: { platform }, eventId: 'order-8731' });
    await worker.deliver([id]);
    await worker.makeDue([id]);
    await worker.deliver([id]);
    // the worker may have found it by itself
    await vi.waitFor(
      async () => expect(await worker.stored(id)).toMatchObject({ state: 'delivered', attempts: 2 }),
      20_000,
    );
    expect(await received()).toEqual(['order-8731', 'order-8731']);
  });

  it('an event without a stored event id is sent with the conversion id', async () => {
    await forgetReceived();
    const { id, conversionId } = await worker.givenFeedback();
    await worker.deliver([id]);
    expect(await received()).toEqual([String(conversionId)]);
  });
});
