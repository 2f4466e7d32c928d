import { Conversion, Feedback } from '@leadback/db';
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

  const received = async () =>
    receivedSchema
      .parse(await (await fetch(`${worker.sandbox.url}/events`)).json())
      .map(({ event }) => event.event_id ?? event.transactionId);

  const givenIdentified = async (platform: (typeof platformNames)[number], eventId: string | null) => {
    await fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
    const { id } = await worker.givenFeedback({ connection: { platform } });
    const em = worker.database.em();
    const { conversion } = await em.findOneOrFail(Feedback, id);
    await em.nativeUpdate(Conversion, { id: conversion.id }, { eventId });
    return { id, conversionId: conversion.id };
  };

  it.each(platformNames)('an event has the stored event id at %s, on every attempt', async (platform) => {
    const { id } = await givenIdentified(platform, 'order-8731');
    await worker.behave({ platform, answer: 'accepted-but-lost', times: 1 });
    await worker.delivery.handle({ feedbackId: id, platform });
    await worker.database.pool.query('update feedback set held_until = now(), due_at = now() where id = $1', [id]);
    await worker.delivery.handle({ feedbackId: id, platform });
    // the worker may have found the row by itself
    await vi.waitFor(
      async () => expect(await worker.stored(id)).toMatchObject({ state: 'delivered', attempts: 2 }),
      20_000,
    );
    expect(await received()).toEqual(['order-8731', 'order-8731']);
  });

  it('an event without a stored event id is sent with the conversion id', async () => {
    const { id, conversionId } = await givenIdentified('meta', null);
    await worker.delivery.handle({ feedbackId: id, platform: 'meta' });
    expect(await received()).toEqual([String(conversionId)]);
  });
});
