import { measureBacklog } from '@leadback/core/delivery/due';
import { givenConnection, givenDatabase, givenManyDeliveries } from '@leadback/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ofKind, specOf } from './manifests.ts';

const trigger = z.object({
  type: z.literal('postgresql'),
  metadata: z.object({ query: z.string() }),
  authenticationRef: z.object({ name: z.literal('feedback-worker-backlog') }),
});

const triggers = ofKind('ScaledObject').flatMap((object) => specOf(object, { triggers: z.array(trigger) }).triggers);

it('KEDA scales the workers by the deliveries that could be sent now, of any platform', async () => {
  const [query = ''] = triggers.map(({ metadata }) => metadata.query);
  await using database = await givenDatabase();
  const counted = async () => (await database.pool.query({ text: query, rowMode: 'array' })).rows;
  expect(await counted()).toEqual([['0']]);
  const given = async (rows: number, columns: string, options?: Parameters<typeof givenConnection>[1]) => {
    const connection = await givenConnection(database.em(), options);
    await givenManyDeliveries(database, { connection, rows });
    await database.pool.query(`update delivery_due set ${columns} where connection_id = $1`, [connection.id]);
  };
  await given(3, `not_before = now() - interval '1 hour'`);
  await given(2, `not_before = now()`, { platform: 'google' });
  // a retry, a claim, and one whose worker crashed
  await given(4, `not_before = now() + interval '1 minute'`);
  await given(4, `not_before = now() + interval '1 minute', phase = 'claimed', claim = 1`);
  await given(6, `not_before = now() - interval '1 minute', phase = 'claimed', claim = 1`);
  for (const state of ['paused', 'needs_attention'] as const) await given(5, `not_before = now()`, { state });
  // one parcel of many deliveries
  await given(1, `delivery_ids = array(select generate_series(1, 200)), not_before = now()`, { platform: 'tiktok' });
  expect(await counted()).toEqual([['211']]);
  const { parts } = await measureBacklog(database.pool);
  const wanting = parts.filter(({ waitsFor }) => waitsFor === 'worker');
  expect(wanting.reduce((sum, part) => sum + part.rows, 0)).toBe(211);
});

it('KEDA uses the database role of the workers, and nothing of RabbitMQ', () => {
  expect(triggers).toHaveLength(1);
  const access = ofKind('TriggerAuthentication').map((object) => [
    object.metadata.name,
    specOf(object, { secretTargetRef: z.unknown() }).secretTargetRef,
  ]);
  expect(Object.fromEntries(access)).toEqual({
    'feedback-worker-backlog': [{ parameter: 'connection', name: 'leadback-database', key: 'feedback-worker' }],
  });
});
