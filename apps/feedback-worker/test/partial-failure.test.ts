import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker, type TestWorker } from './given-worker.ts';

const receivedSchema = z.array(z.object({ event: z.object({ ConversionTime: z.string() }) }));

describe('a request of which the platform accepts only some events', () => {
  const clock = { behindMs: 0 };
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await givenWorker({ sandboxNow: () => Date.now() - clock.behindMs });
  });
  afterAll(() => worker[Symbol.asyncDispose]());
  beforeEach(() => fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' }));

  /** Deliveries of one parcel, each with a time of its own an hour ago. */
  const givenParcel = async (rows: number) => {
    const { ids } = await worker.givenBacklog(rows, { platform: 'microsoft', parcelSize: rows });
    await worker.database.pool.query(
      `update conversion c set occurred_at = now() - interval '1 hour' - c.id * interval '1 s'
       from delivery f where f.conversion_id = c.id and f.id = any($1)`,
      [ids],
    );
    return ids;
  };
  const outcomesOf = (ids: readonly number[]) =>
    Promise.all(
      ids.map(async (id) => {
        const attempts = await worker.attemptsOf(id);
        return [(await worker.stored(id)).state, ...attempts.map(({ outcome }) => outcome)];
      }),
    );
  /** The time of each event that the platform accepted, which is its identity here. */
  const acceptedTimes = async () => {
    const received = receivedSchema.parse(await (await fetch(`${worker.sandbox.url}/events`)).json());
    return received.map(({ event }) => event.ConversionTime);
  };

  it('fails only the rejected event of a request, and sends none twice', async () => {
    await worker.behave({ platform: 'microsoft', answer: 'bad-event', times: 1 });
    const ids = await givenParcel(5);
    await worker.deliver(ids);
    const delivered = ['delivered', 'delivered'];
    expect(await outcomesOf(ids)).toEqual([['failed', 'rejected'], delivered, delivered, delivered, delivered]);
    const times = await acceptedTimes();
    expect([times.length, new Set(times).size]).toEqual([4, 4]);
    expect(await worker.metrics.metrics()).toMatch(
      /leadback_platform_request_seconds_count\{[^}]*platform="microsoft",outcome="partial"[^}]*\} 1/,
    );
  });

  it('retries only the event that a platform did not accept yet, and sends none twice', async () => {
    const ids = await givenParcel(5);
    const [early = 0] = ids.slice(2);
    await worker.database.pool.query(
      `update conversion c set occurred_at = now() from delivery f where f.conversion_id = c.id and f.id = $1`,
      [early],
    );
    clock.behindMs = 30_000;
    await worker.deliver(ids);
    const delivered = ['delivered', 'delivered'];
    expect(await outcomesOf(ids)).toEqual([delivered, delivered, ['pending', 'unavailable'], delivered, delivered]);
    expect(await acceptedTimes()).toHaveLength(4);

    clock.behindMs = 0;
    await worker.makeDue([early]);
    await worker.deliver(ids);
    expect(await outcomesOf([early])).toEqual([['delivered', 'unavailable', 'delivered']]);
    const times = await acceptedTimes();
    expect([times.length, new Set(times).size]).toEqual([5, 5]);
  });
});
