import { Feedback, PlatformConnection } from '@leadback/db';
import {
  feedbackClaimer,
  feedbackParker,
  feedbackSettler,
  pauseConnection,
  resumeConnection,
  takeDueFeedback,
} from '@leadback/delivery';
import {
  givenConnection,
  givenDatabase,
  givenFeedback,
  givenManyFeedback,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('pausing a connection', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const pause = (id: number) => pauseConnection(database.em(), id);
  const resume = (id: number) => resumeConnection(database.em(), id);
  /** The connection state that a worker gets when it claims the delivery. */
  const claim = async (id: number) => {
    const claimed = await feedbackClaimer(database.pool)(id);
    return claimed.kind === 'claimed' ? claimed.feedback.connection.state : claimed.kind;
  };
  const stateOf = async (id: number) => (await database.em().findOneOrFail(PlatformConnection, id)).state;
  const isParked = async (id: number) => {
    const { rows } = await database.pool.query(
      `select held_until = 'infinity' and due_at = 'infinity' and state = 'pending' as parked from feedback where id = $1`,
      [id],
    );
    return Object(rows[0]).parked === true;
  };
  const parkedOf = async (connection: number) => {
    const { rowCount } = await database.pool.query(
      `select from feedback where connection_id = $1 and held_until = 'infinity' and due_at = 'infinity'`,
      [connection],
    );
    return rowCount;
  };

  it('parks all deliveries of a paused connection until it is resumed', async () => {
    const connection = await givenConnection(database.em());
    await givenManyFeedback(database, { connection, rows: 2_500 });
    const other = await givenFeedback(database.em());

    expect(await pause(connection.id)).toBe(2_500);
    expect(await stateOf(connection.id)).toBe('paused');
    expect(await parkedOf(connection.id)).toBe(2_500);
    expect(await takeDueFeedback(database.pool, ['meta'], 5_000)).toEqual([
      { feedbackId: other.id, connectionId: other.connection.id, platform: 'meta' },
    ]);
    expect(await pause(connection.id)).toBe(0);

    expect(await resume(connection.id)).toBe(2_500);
    expect(await stateOf(connection.id)).toBe('active');
    expect(await takeDueFeedback(database.pool, ['meta'], 5_000)).not.toEqual([]);
    expect(await resume(connection.id)).toBe(0);
  });

  it('neither pauses nor resumes a connection that does not exist', async () => {
    expect([await pause(999_999), await resume(999_999)]).toEqual([undefined, undefined]);
  });

  it('lets a worker finish a claimed delivery of a paused connection', async () => {
    const { id, connection } = await givenFeedback(database.em());
    await claim(id);
    await pause(connection.id);
    const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
    const settle = feedbackSettler(database.pool);
    expect(await settle({ feedbackId: id, state: 'delivered', reason: null, retryInMs: null, attempt })).toBe(
      'delivered',
    );
    await resume(connection.id);
    expect((await database.em().findOneOrFail(Feedback, id)).state).toBe('delivered');
  });

  it('parks a retry of a paused connection at its next claim', async () => {
    const { id, connection, account } = await givenFeedback(database.em());
    await claim(id);
    await pause(connection.id);
    const settle = feedbackSettler(database.pool);
    await settle({ feedbackId: id, state: 'pending', reason: 'HTTP 503', retryInMs: 0, attempt: null });
    expect(await claim(id)).toBe('paused');
    await feedbackParker(database.pool)({ id: connection.id, accountId: account.id });
    expect(await isParked(id)).toBe(true);
  });

  it('pauses without waiting for workers; a delivery claimed meanwhile is parked at its next claim', async () => {
    const { id, connection } = await givenFeedback(database.em());
    const worker = await database.pool.connect();
    await worker.query('begin');
    await worker.query('select from feedback where id = $1 for update', [id]);
    expect(await pause(connection.id)).toBe(0);
    await worker.query('commit');
    worker.release();
    expect(await claim(id)).toBe('paused');
  });

  it('keeps a connection paused if the platform rejects a request in flight', async () => {
    const { connection, account } = await givenFeedback(database.em());
    await pause(connection.id);
    const { settings, credentials } = await database.em().findOneOrFail(PlatformConnection, connection.id);
    const refused = { reason: 'token revoked', settings, encryptedCredentials: Buffer.from(credentials) };
    await feedbackParker(database.pool)({ id: connection.id, accountId: account.id, refused });
    expect(await stateOf(connection.id)).toBe('paused');
  });

  it('parks all deliveries of a connection or none under concurrent pause and resume', async () => {
    const connection = await givenConnection(database.em());
    const rows = 60;
    await givenManyFeedback(database, { connection, rows });
    const park = feedbackParker(database.pool);
    const key = { id: connection.id, accountId: connection.account.id };
    for (let round = 0; round < 25; round += 1) {
      await Promise.all([
        pause(connection.id),
        resume(connection.id),
        park(key),
        ...(round % 2 === 0 ? [resume(connection.id), pause(connection.id)] : []),
      ]);
      expect(await parkedOf(connection.id)).toBe((await stateOf(connection.id)) === 'active' ? 0 : rows);
    }
  });
});
