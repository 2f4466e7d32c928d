import { type Account, Feedback } from '@leadback/db';
import { claimMoreFeedback, feedbackClaimer, feedbackSettler, takeDueFeedback } from '@leadback/delivery';
import {
  givenAccount,
  givenConnection,
  givenDatabase,
  givenManyFeedback,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('claiming feedback', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** Unclaimed deliveries of one connection that are due. */
  const givenBacklog = async (count: number, account?: Account) => {
    const em = database.em();
    const owner = account ?? (await givenAccount(em));
    const connection = await givenConnection(em, { account: owner });
    const ids = await givenManyFeedback(database, { connection, rows: count });
    return { ids, connection: { id: connection.id, accountId: owner.id } };
  };
  const workersDie = (ids: readonly number[], times: number) =>
    database.pool.query(`update feedback set claims_unfinished = $2, held_until = now() where id = any($1)`, [
      ids,
      times,
    ]);
  const stored = (id: number) => database.em().findOneOrFail(Feedback, id);
  const postponed = { state: 'pending', reason: 'connection_rests', attempt: null } as const;

  it('distinguishes a deleted delivery from a claimed one', async () => {
    const { ids } = await givenBacklog(1);
    const claim = feedbackClaimer(database.pool);
    const first = await Promise.all(ids.map((id) => claim(id)));
    const others = await Promise.all([...ids, 1e12].map((id) => claim(id)));
    expect([...first, ...others].map(({ kind }) => kind)).toEqual(['claimed', 'busy', 'deleted']);
  });

  it('lets only a worker that sends it alone claim a delivery after three worker crashes', async () => {
    const { ids } = await givenBacklog(2);
    const [suspect = 0, innocent = 0] = ids;
    await workersDie([suspect], 3);
    const claim = feedbackClaimer(database.pool);
    expect(await Promise.all(ids.map(async (id) => (await claim(id)).kind))).toEqual(['suspect', 'claimed']);
    const claimSuspect = feedbackClaimer(database.pool, { evenSuspect: true });
    expect(await claimSuspect(suspect)).toMatchObject({ kind: 'claimed', feedback: { feedbackId: suspect } });
    expect([(await stored(suspect)).claimsUnfinished, (await stored(innocent)).claimsUnfinished]).toEqual([4, 1]);
  });

  it('fails a delivery after five worker crashes', async () => {
    const { ids } = await givenBacklog(1);
    const [id = 0] = ids;
    await workersDie(ids, 5);
    expect(await feedbackClaimer(database.pool)(id)).toEqual({ kind: 'crashed' });
    expect(await stored(id)).toMatchObject({ state: 'failed', reason: 'crashed' });
    expect((await stored(id)).closedAt).not.toBeNull();
  });

  it('resets the crash count of a delivery when a worker settles it', async () => {
    const { ids } = await givenBacklog(1);
    const [feedbackId = 0] = ids;
    await workersDie(ids, 2);
    await feedbackClaimer(database.pool)(feedbackId);
    await feedbackSettler(database.pool)({ feedbackId, ...postponed, retryInMs: 60_000 });
    expect((await stored(feedbackId)).claimsUnfinished).toBe(0);
  });

  it('claims more deliveries of one connection once each, without suspects', async () => {
    const { ids, connection } = await givenBacklog(6);
    await givenBacklog(2);
    await workersDie(ids.slice(0, 1), 1);
    const claims = await Promise.all([1, 2, 3].map(() => claimMoreFeedback(database.pool, connection, 2)));
    const taken = claims.flat().map(({ feedbackId }) => feedbackId);
    expect(taken.toSorted((one, other) => one - other)).toEqual(ids.slice(1));
    expect(await claimMoreFeedback(database.pool, { ...connection, accountId: 0 }, 10)).toEqual([]);
  });

  it('lets any worker claim a postponed delivery that is free', async () => {
    const { ids, connection } = await givenBacklog(2);
    const settle = feedbackSettler(database.pool);
    const [free = 0, held = 0] = ids;
    await Promise.all([
      settle({ feedbackId: free, ...postponed, retryInMs: 60_000, isFree: true }),
      settle({ feedbackId: held, ...postponed, retryInMs: 60_000 }),
    ]);
    const claimed = await claimMoreFeedback(database.pool, connection, 10);
    expect(claimed.map(({ feedbackId }) => feedbackId)).toEqual([free]);
  });

  it('publishes due deliveries of every connection despite the backlog of one', async () => {
    const { ids } = await givenBacklog(150);
    const other = await givenBacklog(1);
    await database.pool.query(`update feedback set due_at = now() - interval '1 hour' where id = any($1)`, [ids]);
    const due = await takeDueFeedback(database.pool, ['meta', 'google'], 120);
    expect(due.filter(({ feedbackId }) => ids.includes(feedbackId))).toHaveLength(100);
    expect(due).toContainEqual({ feedbackId: other.ids[0], connectionId: other.connection.id, platform: 'meta' });
  });

  it('records a throttled attempt without counting it', async () => {
    const { ids } = await givenBacklog(1);
    const [feedbackId = 0] = ids;
    const attempt = {
      outcome: 'throttled',
      reason: 'slow down',
      httpStatus: 429,
      answer: '{}',
      durationMs: 1,
    } as const;
    const settle = feedbackSettler(database.pool);
    await settle({ feedbackId, state: 'pending', reason: 'slow down', retryInMs: 10_000, attempt });
    expect(await stored(feedbackId)).toMatchObject({ attempts: 0, reason: 'slow down' });
    const { rows } = await database.pool.query('select outcome from feedback_attempt where feedback_id = $1', [
      feedbackId,
    ]);
    expect(rows).toEqual([{ outcome: 'throttled' }]);
  });

  it('stores the name of a platform request once for all its deliveries', async () => {
    const { ids, connection } = await givenBacklog(3);
    const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: '{}', durationMs: 1 } as const;
    const settle = feedbackSettler(database.pool);
    const request = { name: 'r1', lookInMs: 1_800_000 };
    const delivered = { state: 'delivered', reason: null, retryInMs: null, attempt: { ...attempt, request } } as const;
    await Promise.all(ids.map((feedbackId) => settle({ feedbackId, ...delivered })));
    const { rows } = await database.pool.query(
      `select r.name, r.account_id::int, count(a.*)::int as attempts, round(extract(epoch from r.look_at - r.created_at))::int as look_in
       from platform_request r join feedback_attempt a on a.platform_request = r.name
       where r.connection_id = $1 group by r.id`,
      [connection.id],
    );
    expect(rows).toEqual([{ name: 'r1', account_id: connection.accountId, attempts: 3, look_in: 1_800 }]);
  });
});
