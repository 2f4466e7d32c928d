import { measureBacklog } from '@leadback/delivery';
import { givenConnection, givenDatabase, givenManyFeedback } from '@leadback/test-fixtures';
import { feedbackQueues } from '@leadback/messaging';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ofKind, specOf } from './example.ts';

const trigger = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('rabbitmq'),
    metadata: z.object({ queueName: z.string() }),
    authenticationRef: z.object({ name: z.literal('feedback-worker-queues') }),
  }),
  z.object({
    type: z.literal('postgresql'),
    metadata: z.object({ query: z.string() }),
    authenticationRef: z.object({ name: z.literal('feedback-worker-backlog') }),
  }),
]);

const triggers = ofKind('ScaledObject').flatMap((object) => specOf(object, { triggers: z.array(trigger) }).triggers);

it('KEDA scales the workers by the queue of every platform', () => {
  const queues = triggers.flatMap((one) => (one.type === 'rabbitmq' ? [one.metadata.queueName] : []));
  expect(queues.toSorted()).toEqual(Object.values(feedbackQueues).toSorted());
});

it('KEDA counts only the pending rows in PostgreSQL that wait for a worker', async () => {
  const [query = ''] = triggers.flatMap((one) => (one.type === 'postgresql' ? [one.metadata.query] : []));
  await using database = await givenDatabase();
  const given = async (rows: number, columns: string, options?: Parameters<typeof givenConnection>[1]) => {
    const connection = await givenConnection(database.em(), options);
    const ids = await givenManyFeedback(database, { connection, rows });
    await database.pool.query(`update feedback set ${columns} where id = any($1)`, [ids]);
  };
  await given(3, `held_until = now() - interval '1 hour', due_at = now() + interval '30 seconds'`);
  await given(2, `held_until = now() - interval '1 hour', due_at = now()`, { platform: 'google' });
  await given(4, `held_until = now() + interval '1 minute', due_at = now() + interval '1 minute'`);
  await given(5, `held_until = 'infinity', due_at = 'infinity'`, { state: 'paused' });
  await given(6, `state = 'delivered', closed_at = now()`);
  const { rows } = await database.pool.query({ text: query, rowMode: 'array' });
  expect(rows).toEqual([['5']]);
  const { parts } = await measureBacklog(database.pool);
  const wanting = parts.filter(({ waitsFor }) => waitsFor === 'worker');
  expect(wanting.reduce((sum, part) => sum + part.rows, 0)).toBe(5);
});

it('KEDA uses the credentials of the workers', () => {
  const access = ofKind('TriggerAuthentication').map((object) => [
    object.metadata.name,
    specOf(object, { secretTargetRef: z.unknown() }).secretTargetRef,
  ]);
  expect(Object.fromEntries(access)).toEqual({
    'feedback-worker-queues': [{ parameter: 'host', name: 'leadback-rabbitmq', key: 'feedback-worker' }],
    'feedback-worker-backlog': [{ parameter: 'connection', name: 'leadback-database', key: 'app' }],
  });
});
