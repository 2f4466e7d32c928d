import { Feedback } from '@leadback/db';
import { expect, it } from 'vitest';
import { givenWorker } from './given-worker.ts';

it('delivers rows that have crashed workers one at a time, and fails those that have crashed five', async () => {
  await using worker = await givenWorker();
  const { ids, connectionId } = await worker.givenBacklog(6);
  const [crashed = 0, ...suspects] = ids;
  const die = (id: number, times: number) =>
    worker.database.pool.query('update feedback set claims_unfinished = $2 where id = $1', [id, times]);
  await die(crashed, 5);
  for (const id of suspects) await die(id, 3);

  await Promise.all(ids.map((feedbackId) => worker.delivery.handle({ feedbackId, connectionId, platform: 'meta' })));
  await worker.delivery[Symbol.asyncDispose]();
  expect(await worker.stored(crashed)).toMatchObject({ state: 'failed', reason: 'crashed', attempts: 0 });
  const metrics = await worker.metrics.metrics();
  expect(metrics).toMatch(/leadback_feedback_crashed_total\{[^}]*platform="meta"[^}]*\} 1/);

  // rows delivered before the stop were delivered one at a time; the others were not started
  const done = await worker.database.em().count(Feedback, { id: { $in: suspects }, state: 'delivered' });
  const untouched = { id: { $in: suspects }, state: 'pending', claimsUnfinished: 3 } as const;
  expect(done).toBeGreaterThan(0);
  expect(done + (await worker.database.em().count(Feedback, untouched))).toBe(5);
  expect(metrics).toMatch(new RegExp(`request_seconds_count\\{[^}]*outcome="delivered"[^}]*\\} ${done}\\b`));
});

it('counts and drops a message whose row was deleted', async () => {
  await using worker = await givenWorker();
  await worker.delivery.handle({ feedbackId: 1e12, connectionId: 1, platform: 'google' });
  expect(await worker.metrics.metrics()).toMatch(/leadback_orphan_messages_total\{[^}]*platform="google"[^}]*\} 1/);
});
