import { Feedback } from '@leadback/db';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { givenWorker, type TestWorker } from './given-worker.ts';

describe('a failing connection', () => {
  let worker: TestWorker;
  beforeEach(async () => {
    worker = await givenWorker({ tuning: { requests: 4, requestsMin: 2, shortestMs: 300, longestMs: 300 } });
  });
  afterEach(() => worker[Symbol.asyncDispose]());

  const delivered = (ids: readonly number[]) =>
    worker.database.em().count(Feedback, { id: { $in: [...ids] }, state: 'delivered' });
  const allDelivered = (ids: readonly number[]) =>
    vi.waitFor(async () => expect(await delivered(ids)).toBe(ids.length), { timeout: 15_000, interval: 50 });
  const tell = ({ ids, connectionId }: { ids: readonly number[]; connectionId: number }) =>
    Promise.all(ids.map((feedbackId) => worker.delivery.handle({ feedbackId, connectionId, platform: 'meta' })));

  it('a slow connection acknowledges its messages unsent and loads their rows once it is fast again', async () => {
    await worker.behave({ platform: 'meta', answer: 'ok', times: 1, delayMs: 2_500 });
    const slow = await worker.givenBacklog(5);
    const [first = 0, ...others] = slow.ids;
    await tell({ ...slow, ids: [first] });
    expect(await delivered(slow.ids)).toBe(0);
    await tell({ ...slow, ids: others });
    const untouched = { id: { $in: others }, attempts: 0, claimsUnfinished: 0 };
    expect(await worker.database.em().count(Feedback, untouched)).toBe(4);

    const healthy = await worker.givenBacklog(3);
    await tell(healthy);
    expect(await delivered(healthy.ids)).toBe(3);
    await allDelivered(slow.ids);
    expect(await worker.database.em().count(Feedback, { id: { $in: slow.ids }, attempts: 1 })).toBe(5);
  });

  it('an open circuit costs no attempt, and deliveries resume by themselves', async () => {
    const tired = await worker.givenBacklog(3);
    await worker.behave({ platform: 'meta', answer: 'server-error', times: 2 });
    // the first request has one event; the worker then loads the others, and they share the second
    await tell({ ...tired, ids: tired.ids.slice(0, 1) });
    const rests = /leadback_connection_rests_total\{[^}]*platform="meta"[^}]*\} 1/;
    await vi.waitFor(async () => expect(await worker.metrics.metrics()).toMatch(rests), { timeout: 5_000 });
    const others = await worker.givenMore(3, tired.connectionId);
    await tell({ ...tired, ids: others });
    expect(await worker.database.em().count(Feedback, { id: { $in: others }, attempts: 0, state: 'pending' })).toBe(3);
    await allDelivered(others);
    expect(await worker.database.em().count(Feedback, { id: { $in: others }, attempts: 1 })).toBe(3);
  });

  it('a backlog is sent in few requests, regardless of the messages received', async () => {
    const { ids, connectionId } = await worker.givenBacklog(30);
    await worker.behave({ platform: 'meta', answer: 'ok', times: 1, delayMs: 1_500 });
    const [first = 0, second = 0] = ids;
    await tell({ connectionId, ids: [first] });
    await tell({ connectionId, ids: [second] });
    await allDelivered(ids);
    expect(await worker.metrics.metrics()).toMatch(
      /leadback_platform_request_seconds_count\{[^}]*outcome="delivered"[^}]*\} 2/,
    );
  });
});
