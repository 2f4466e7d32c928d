import { Feedback, FeedbackAttempt } from '@leadback/db';
import { feedbackClaimer, requeueFeedback, requeueFeedbackOfConnection, takeDueFeedback } from '@leadback/delivery';
import {
  givenConnection,
  givenDatabase,
  givenFeedback,
  givenManyFeedback,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('requeueing feedback', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const requeue = (...ids: number[]) => requeueFeedback(database.em(), ids);
  const requeuesOf = (connection: number) =>
    database.em().count(FeedbackAttempt, { outcome: 'requeued', feedback: { connection } });

  it.each(['failed', 'skipped'] as const)(
    'makes a delivery that was %s pending and due like a new one',
    async (state) => {
      const { id, connection } = await givenFeedback(database.em(), { state, reason: 'no_match_keys' });
      await database.pool.query(
        `update feedback set claims_unfinished = 3, held_until = now() + interval '1 h' where id = $1`,
        [id],
      );
      expect(await requeue(id)).toEqual([id]);
      expect(await database.em().findOneOrFail(Feedback, id)).toMatchObject({
        state: 'pending',
        reason: null,
        closedAt: null,
        claimsUnfinished: 0,
        retriedSince: expect.any(Date),
      });
      expect(await takeDueFeedback(database.pool, ['meta'], 1_000)).toContainEqual({
        feedbackId: id,
        connectionId: connection.id,
        platform: 'meta',
      });
      expect(await feedbackClaimer(database.pool)(id)).toMatchObject({ kind: 'claimed' });
      expect(await database.em().find(FeedbackAttempt, { feedback: id })).toMatchObject([
        { outcome: 'requeued', reason: `was ${state}: no_match_keys`, httpStatus: null, answer: null },
      ]);
    },
  );

  it.each(['delivered', 'pending'] as const)('does not requeue a delivery that is %s', async (state) => {
    const { id, connection, account } = await givenFeedback(database.em(), { state });
    expect(await requeue(id)).toEqual([]);
    expect(await requeueFeedbackOfConnection(database.em(), { id: connection.id, accountId: account.id })).toBe(0);
    expect((await database.em().findOneOrFail(Feedback, id)).state).toBe(state);
  });

  it.each(['paused', 'needs_attention'] as const)(
    'does not requeue a delivery while its connection is %s',
    async (state) => {
      const connection = await givenConnection(database.em(), { state });
      const { id } = await givenFeedback(database.em(), { connection, state: 'failed' });
      expect(await requeue(id)).toEqual([]);
      expect(
        await requeueFeedbackOfConnection(database.em(), { id: connection.id, accountId: connection.account.id }),
      ).toBe(0);
    },
  );

  it('requeues a delivery once under concurrent retries', async () => {
    const connection = await givenConnection(database.em());
    const rows = await Promise.all(
      Array.from({ length: 20 }, () => givenFeedback(database.em(), { connection, state: 'failed' })),
    );
    const ids = rows.map(({ id }) => id);
    const rounds = await Promise.all([requeue(...ids), requeue(...ids.toReversed()), requeue(...ids), requeue(...ids)]);
    expect(rounds.flat().toSorted((one, other) => one - other)).toEqual(ids.toSorted((one, other) => one - other));
    expect(await requeuesOf(connection.id)).toBe(20);
  });

  it('requeues every delivery of a connection once under concurrent retries, and no others', async () => {
    const connection = await givenConnection(database.em());
    const neighbour = await givenConnection(database.em(), { account: await connection.account.loadOrFail() });
    await givenManyFeedback(database, { connection, rows: 6_000, state: 'failed', reason: '190: expired' });
    await givenManyFeedback(database, { connection, rows: 10, state: 'skipped', reason: 'no_match_keys' });
    await givenManyFeedback(database, { connection: neighbour, rows: 10, state: 'failed', reason: '190: expired' });

    const ask = () =>
      requeueFeedbackOfConnection(database.em(), {
        id: connection.id,
        accountId: connection.account.id,
        reason: '190:',
      });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one + other).toBe(6_000);
    expect(await requeuesOf(connection.id)).toBe(6_000);
    expect(await requeuesOf(neighbour.id)).toBe(0);
    const stillClosed = { connection, state: { $ne: 'pending' as const } };
    expect(await database.em().count(Feedback, stillClosed)).toBe(10);
  });
});
