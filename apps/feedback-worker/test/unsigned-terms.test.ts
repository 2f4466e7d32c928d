import { PlatformConnection, PlatformRequest } from '@leadback/db';
import { resumeConnection } from '@leadback/core/connections/store';
import { eventually, secretsKeys } from '@leadback/testing';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import { expect, it } from 'vitest';
import { workerEvents } from '../src/events.ts';
import { requestStatusPoller } from '../src/request-status.ts';
import { givenWorker } from './given-worker.ts';

it('a conversion that Google could not use because of unsigned terms waits for the operator and is sent after the resume', async () => {
  await using worker = await givenWorker();
  const { database, sandbox } = worker;
  const errors = [{ reason: 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED', recordCount: 1 }];
  await worker.behave({ platform: 'google', answer: 'ok', processing: { status: 'FAILED', errors } });
  const { id, connectionId } = await worker.givenDelivery({ connection: { platform: 'google' } });
  const deliver = () => worker.deliver([id]);
  const connection = () => database.em().findOneOrFail(PlatformConnection, connectionId);

  await deliver();
  expect(await worker.stored(id)).toMatchObject({ state: 'delivered' });
  await database.pool.query('update platform_request set look_at = now()');
  const events = workerEvents(createLogger('feedback-worker', 'silent'), createMetrics('feedback-worker'));
  const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: sandbox.url });
  await using _watch = requestStatusPoller({ pool: worker.pool, secretsKeys, platforms, events, everyMs: 10 });
  await eventually(async () => expect(await connection()).toMatchObject({ state: 'needs_attention' }));
  const { stateReason } = await connection();
  expect(stateReason).toMatch(/^DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED: /);
  expect(platforms.google.remedyFor(stateReason ?? '').words).toContain('accept its terms');

  await worker.behave({ platform: 'google', answer: 'ok' });
  await deliver();
  expect(await worker.stored(id)).toMatchObject({ state: 'pending', attempts: 1 });
  expect(await resumeConnection(database.em(), connectionId)).toBe(1);
  await deliver();
  // the worker may have found the row by itself
  await eventually(async () =>
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered', attempts: 2, reason: null }),
  );
  expect(await database.em().count(PlatformRequest, { connection: connectionId, lookAt: { $ne: null } })).toBe(1);
});
