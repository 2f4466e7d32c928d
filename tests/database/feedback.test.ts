import { Feedback, FeedbackAttempt, PlatformConnection } from '@leadback/db';
import {
  type FeedbackSettlement,
  feedbackClaimer,
  feedbackParker,
  feedbackSettler,
  resumeConnection,
  takeDueFeedback,
} from '@leadback/delivery';
import { givenConnection, givenConversion, givenDatabase, type TestDatabase } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const refusedBy = ({ settings, credentials }: PlatformConnection) => {
  return { reason: 'token revoked', settings, encryptedCredentials: Buffer.from(credentials) };
};

describe('feedback', () => {
  let database: TestDatabase;
  let claim: ReturnType<typeof feedbackClaimer>;
  let settle: ReturnType<typeof feedbackSettler>;

  beforeAll(async () => {
    database = await givenDatabase();
    claim = feedbackClaimer(database.pool);
    settle = feedbackSettler(database.pool);
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** A delivery that is due now. */
  const givenFeedback = async () => {
    const em = database.em();
    const conversion = await givenConversion(em, {
      client: { email: 'ana@x.example', lead: { clickParameters: { fbclid: 'F' } } },
    });
    const connection = await givenConnection(em, { account: await conversion.account.loadOrFail() });
    const feedback = em.create(Feedback, { account: conversion.account, conversion, connection });
    await em.flush();
    return { id: feedback.id, conversion, connection };
  };
  const stored = (id: number) => database.em().findOneOrFail(Feedback, id);
  const hold = (id: number, until: string) =>
    database.pool.query(`update feedback set held_until = ${until}, due_at = ${until} where id = $1`, [id]);
  const kindOf = async (id: number) => (await claim(id)).kind;
  const due = async () => {
    const rows = await takeDueFeedback(database.pool, ['meta', 'google'], 1_000);
    return rows.map(({ feedbackId }) => feedbackId);
  };

  const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: '{}', durationMs: 5 } as const;
  const unavailable = (feedbackId: number, retryInMs: number): FeedbackSettlement => ({
    feedbackId,
    state: 'pending',
    reason: 'server_error',
    retryInMs,
    attempt: { ...attempt, outcome: 'unavailable', reason: 'server_error', httpStatus: 503 },
  });
  const delivered = (feedbackId: number): FeedbackSettlement => ({
    feedbackId,
    state: 'delivered',
    reason: null,
    retryInMs: null,
    attempt,
  });

  it('lets one worker at a time claim a delivery, with all data of its event', async () => {
    const { id, conversion, connection } = await givenFeedback();
    const claims = await Promise.all(Array.from({ length: 8 }, () => feedbackClaimer(database.pool)(id)));
    const [claimed, ...others] = claims.filter(({ kind }) => kind !== 'busy');
    expect(others).toEqual([]);
    expect(claimed).toMatchObject({
      kind: 'claimed',
      feedback: {
        feedbackId: id,
        attempts: 0,
        connection: { id: connection.id, platform: 'meta', state: 'active' },
        conversion: {
          id: conversion.id,
          amount: '10.00',
          currency: 'USD',
          accountCountry: 'AR',
          client: { email: 'ana@x.example' },
          lead: { clickParameters: { fbclid: 'F' } },
        },
      },
    });
    expect(await kindOf(id)).toBe('busy');
  });

  it('lets a worker claim a delivery when the lease of a dead worker expires', async () => {
    const { id } = await givenFeedback();
    expect(await kindOf(id)).toBe('claimed');
    await hold(id, 'now()');
    expect(await kindOf(id)).toBe('claimed');
  });

  it('lets one relay at a time take a due delivery, once per lease', async () => {
    const { id } = await givenFeedback();
    const rounds = await Promise.all(Array.from({ length: 4 }, due));
    expect(rounds.flat().filter((one) => one === id)).toEqual([id]);
    expect(await due()).not.toContain(id);
  });

  it('closes a delivered delivery with its attempt and never claims it again', async () => {
    const { id } = await givenFeedback();
    await claim(id);
    expect(await settle(delivered(id))).toBe('delivered');
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect((await stored(id)).closedAt).not.toBeNull();
    await hold(id, 'now()');
    expect(await kindOf(id)).toBe('busy');
    expect(await due()).not.toContain(id);
    const attempts = await database.em().find(FeedbackAttempt, { feedback: id });
    expect(attempts).toMatchObject([{ outcome: 'delivered', httpStatus: 200, answer: '{}' }]);
  });

  it('does not retry early when a second copy of the message arrives', async () => {
    const { id } = await givenFeedback();
    await claim(id);
    expect(await settle(unavailable(id, 30_000))).toBe('pending');
    expect(await kindOf(id)).toBe('busy');
    expect(await due()).not.toContain(id);
    await hold(id, 'now()');
    expect(await due()).toContain(id);
    expect(await claim(id)).toMatchObject({ feedback: { attempts: 1 } });
  });

  it('fails a delivery whose next retry would be after three days', async () => {
    const { id } = await givenFeedback();
    await database.pool.query(`update feedback set created_at = now() - interval '2 days 23 hours' where id = $1`, [
      id,
    ]);
    expect(await settle(unavailable(id, 30 * 60_000))).toBe('pending');
    expect(await settle(unavailable(id, 90 * 60_000))).toBe('failed');
    expect((await stored(id)).reason).toBe('retries_exhausted: server_error');
  });

  it('never fails a delivery that waits for a quota slot or the operator', async () => {
    const { id } = await givenFeedback();
    await database.pool.query(`update feedback set created_at = now() - interval '9 days' where id = $1`, [id]);
    const waiting = { feedbackId: id, state: 'pending', retryInMs: 0 } as const;
    expect(await settle({ ...waiting, reason: 'quota', isFree: true, attempt: null })).toBe('pending');
    const refused = { ...attempt, outcome: 'refused', reason: '190', httpStatus: 400 } as const;
    expect(await settle({ ...waiting, reason: '190', attempt: refused })).toBe('pending');
  });

  it('keeps a delivery delivered, whatever a slower worker reports', async () => {
    const { id } = await givenFeedback();
    await settle(delivered(id));
    expect(await settle(unavailable(id, 10_000))).toBe('closed');
    expect((await stored(id)).state).toBe('delivered');
    const { id: failed } = await givenFeedback();
    await settle({ ...delivered(failed), state: 'failed', reason: 'bad_event' });
    expect(await settle(delivered(failed))).toBe('delivered');
  });

  it('sends deliveries of a rejected connection when it is resumed', async () => {
    const { id, connection } = await givenFeedback();
    const key = { id: connection.id, accountId: connection.account.id };
    await feedbackParker(database.pool)({ ...key, refused: refusedBy(connection) });
    expect(await database.em().findOneOrFail(PlatformConnection, connection.id)).toMatchObject({
      state: 'needs_attention',
      stateReason: 'token revoked',
    });
    expect(await kindOf(id)).toBe('busy');
    expect(await due()).not.toContain(id);
    expect(await resumeConnection(database.em(), connection.id)).toBe(1);
    expect(await due()).toContain(id);
    expect(await kindOf(id)).toBe('claimed');
  });

  it('restarts the retry period of a delivery when its connection is resumed', async () => {
    const { id, connection } = await givenFeedback();
    const key = { id: connection.id, accountId: connection.account.id };
    await feedbackParker(database.pool)({ ...key, refused: refusedBy(connection) });
    await database.pool.query(`update feedback set created_at = now() - interval '5 days' where id = $1`, [id]);
    await resumeConnection(database.em(), connection.id);
    await claim(id);
    expect(await settle(unavailable(id, 10_000))).toBe('pending');
  });

  it('does not park deliveries if the rejected credentials were already replaced', async () => {
    const { id, connection } = await givenFeedback();
    const refused = refusedBy(connection);
    await database.pool.query(`update platform_connection set credentials = 'fixed' where id = $1`, [connection.id]);
    await feedbackParker(database.pool)({ id: connection.id, accountId: connection.account.id, refused });
    expect(await database.em().findOneOrFail(PlatformConnection, connection.id)).toMatchObject({ state: 'active' });
    expect(await kindOf(id)).toBe('claimed');
  });

  it('does not park deliveries of a connection that was resumed meanwhile', async () => {
    const { id, connection } = await givenFeedback();
    await feedbackParker(database.pool)({ id: connection.id, accountId: connection.account.id });
    expect(await kindOf(id)).toBe('claimed');
  });
});
