import { eventually, secretsKeys } from '@leadback/testing';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import { expect, it } from 'vitest';
import { workerEvents } from '../src/events.ts';
import { requestStatusPoller } from '../src/request-status.ts';
import { givenWorker } from './given-worker.ts';

it('a conversion that Google later reports as too old is skipped, with the attempt on record', async () => {
  await using worker = await givenWorker();
  const { database, sandbox } = worker;
  const errors = [{ reason: 'EVENT_TOO_OLD', recordCount: 1 }];
  await worker.behave({ platform: 'google', answer: 'ok', processing: { status: 'FAILED', errors } });
  const { id } = await worker.givenDelivery({ connection: { platform: 'google' } });
  await worker.deliver([id]);
  expect(await worker.stored(id)).toMatchObject({ state: 'delivered' });
  await database.pool.query('update platform_request set look_at = now()');

  const metrics = createMetrics('feedback-worker');
  const events = workerEvents(createLogger('feedback-worker', 'silent'), metrics);
  const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: sandbox.url });
  await using _watch = requestStatusPoller({ pool: worker.pool, secretsKeys, platforms, events, everyMs: 10 });
  await eventually(async () => {
    expect(await worker.stored(id)).toMatchObject({ state: 'skipped', reason: 'event_too_old', attempts: 1 });
    expect(await metrics.metrics()).toMatch(/platform_verdicts_total\{.*platform="google",verdict="skipped".*\} 1/);
  });
  expect(await worker.attemptsOf(id)).toMatchObject([{ outcome: 'delivered' }]);
});
