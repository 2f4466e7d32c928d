import { Delivery } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenWorker, type TestWorker } from './given-worker.ts';

const count = (worker: TestWorker, ids: readonly number[], where: Partial<Pick<Delivery, 'state' | 'attempts'>>) =>
  worker.database.em().count(Delivery, { id: { $in: [...ids] }, ...where });

it('a backlog of 3,000 events for Google needs two requests', async () => {
  await using worker = await givenWorker({ hasQuota: true, isStarted: false });
  const { ids } = await worker.givenBacklog(3_000, { platform: 'google', parcelSize: 50 });
  worker.startDelivery();
  await eventually(async () => expect(await count(worker, ids, { state: 'delivered', attempts: 1 })).toBe(3_000));
  const metrics = await worker.metrics.metrics();
  expect(metrics).toMatch(/platform_request_seconds_count\{[^}]*platform="google",outcome="delivered"[^}]*\} 2\n/);
  expect(metrics).toMatch(/leadback_quota_turns_total\{[^}]*outcome="taken"[^}]*\} 2\n/);
});

it("a used-up quota of the day postpones a connection's deliveries without attempts, and delays no other's", async () => {
  await using worker = await givenWorker({ hasQuota: true });
  const { pool } = worker.database;
  const first = await worker.givenDelivery({ connection: { platform: 'google' } });
  await worker.deliver([first.id]);
  await pool.query('update platform_quota set used = 100000');

  const waiting = await worker.givenMore(5, first.connectionId);
  const other = await worker.givenBacklog(3, { platform: 'google' });
  const meta = await worker.givenBacklog(3);
  await worker.deliver([...waiting, ...other.ids, ...meta.ids]);
  expect(await count(worker, [...other.ids, ...meta.ids], { state: 'delivered', attempts: 1 })).toBe(6);
  expect(await count(worker, waiting, { state: 'pending', attempts: 0 })).toBe(5);
  for (const id of waiting) expect(await worker.attemptsOf(id)).toEqual([]);
  // the platform is well: its status page has nothing to say
  expect(worker.delivery.openCircuits()).toEqual([]);
  // another worker may find that a new day has begun
  const { rows } = await pool.query(
    `select bool_and(not_before <= now() + interval '30 seconds' and phase = 'waiting') as soon
     from delivery_due where connection_id = $1`,
    [first.connectionId],
  );
  expect(rows).toEqual([{ soon: true }]);
});
