import { Feedback, FeedbackAttempt, PlatformConnection } from '@leadback/db';
import {
  type ClaimedParcel,
  parcelClaimer,
  parcelSettler,
  resumeConnection,
  type Settled,
  type SettledDeliveries,
} from '@leadback/delivery';
import {
  givenConnection,
  givenConversion,
  givenDatabase,
  givenFeedback,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comesDue, givenParcel, parcelOf, parcelViolations } from '../support/parcels.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: '{}', durationMs: 5 } as const;
type Outcome = Omit<SettledDeliveries, 'feedbackIds'>;
const delivered: Outcome = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt };
const failed: Outcome = { ...delivered, state: 'failed', reason: 'bad_event' };
const unavailable = (retryInMs: number): Outcome => ({
  state: 'pending',
  reason: 'server_error',
  retryInMs,
  isCounted: true,
  attempt: { ...attempt, outcome: 'unavailable', reason: 'server_error', httpStatus: 503 },
});
const rejected: Outcome = {
  state: 'pending',
  reason: 'token revoked',
  retryInMs: 0,
  isCounted: true,
  attempt: { ...attempt, outcome: 'refused', reason: 'token revoked', httpStatus: 400 },
};

describe('feedback', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** The parcel of a delivery, claimed, whether it is due or not. */
  const claimed = async (feedbackId: number): Promise<ClaimedParcel> => {
    const { id } = await parcelOf(database, feedbackId);
    await comesDue(database.pool, id);
    const parcel = await parcelClaimer(database.pool)(id);
    if (parcel === null) throw new Error('the parcel was not claimed');
    return parcel;
  };
  const settle = (parcel: ClaimedParcel, outcome: Outcome, ids?: readonly number[]): Promise<Settled> => {
    const feedbackIds = ids ?? parcel.deliveries.map(({ feedbackId }) => feedbackId);
    return parcelSettler(database.pool)({ parcel, deliveries: [{ ...outcome, feedbackIds }] });
  };
  /** Claims a delivery and settles it. Returns its new state. */
  const send = async (feedbackId: number, outcome: Outcome) =>
    (await settle(await claimed(feedbackId), outcome)).states.get(feedbackId);
  const stored = (id: number) => database.em().findOneOrFail(Feedback, id);
  const isOld = (id: number, age: string) =>
    database.pool.query('update feedback set created_at = now() - $2::interval where id = $1', [id, age]);
  const stateOf = async ({ id }: { readonly id: number }) =>
    (await database.em().findOneOrFail(PlatformConnection, id)).state;

  it('lets one worker at a time claim a delivery, with all data of its event', async () => {
    const conversion = await givenConversion(database.em(), {
      client: { email: 'ana@x.example', lead: { clickParameters: { fbclid: 'F' } } },
    });
    const connection = await givenConnection(database.em(), { account: await conversion.account.loadOrFail() });
    const { id } = await givenFeedback(database.em(), { connection, conversion });
    const { id: parcelId } = await parcelOf(database, id);
    const claims = await Promise.all(Array.from({ length: 8 }, () => parcelClaimer(database.pool)(parcelId)));
    const [parcel, ...others] = claims.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(parcel).toMatchObject({
      id: parcelId,
      claim: 1,
      mode: 'live',
      connection: {
        id: connection.id,
        accountId: conversion.account.id,
        platform: 'meta',
        version: connection.version,
      },
      deliveries: [
        {
          feedbackId: id,
          attempts: 0,
          conversion: {
            id: conversion.id,
            amount: '10.00',
            currency: 'USD',
            accountCountry: 'AR',
            client: { email: 'ana@x.example' },
            lead: { clickParameters: { fbclid: 'F' } },
          },
        },
      ],
    });
    expect(Math.abs((parcel?.claimedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('lets a worker claim a delivery when the lease of a dead worker expires', async () => {
    const { id } = await givenFeedback(database.em());
    const first = await claimed(id);
    expect(await parcelClaimer(database.pool)(first.id)).toBeNull();
    expect(await claimed(id)).toMatchObject({ id: first.id, claim: 2 });
  });

  it('closes a delivered delivery with its attempt and never claims it again', async () => {
    const { id } = await givenFeedback(database.em());
    const parcel = await claimed(id);
    expect((await settle(parcel, delivered)).states).toEqual(new Map([[id, 'delivered']]));
    const { state, attempts, closedAt, parcelId } = await stored(id);
    expect([state, attempts, closedAt instanceof Date, parcelId]).toEqual(['delivered', 1, true, null]);
    expect(await parcelClaimer(database.pool)(parcel.id)).toBeNull();
    const kept = await database.em().find(FeedbackAttempt, { feedback: id });
    expect(kept).toMatchObject([{ outcome: 'delivered', httpStatus: 200, answer: '{}' }]);
  });

  it('does not retry early when a hint names the parcel again', async () => {
    const { id } = await givenFeedback(database.em());
    const { id: settled } = await claimed(id);
    await comesDue(database.pool, settled);
    expect(await send(id, unavailable(30_000))).toBe('pending');
    const { id: next } = await parcelOf(database, id);
    const claim = parcelClaimer(database.pool);
    expect([await claim(settled), await claim(next)]).toEqual([null, null]);
    expect(await claimed(id)).toMatchObject({ deliveries: [{ attempts: 1 }] });
  });

  it('puts deliveries that wait for different times into different parcels, with the age of their conversions', async () => {
    const connection = await givenConnection(database.em());
    const { feedbackIds } = await givenParcel(database, { connection, size: 4 });
    const [one = 0, ...others] = feedbackIds;
    const before = await parcelOf(database, one);
    const parcel = await claimed(one);
    await parcelSettler(database.pool)({
      parcel,
      deliveries: [
        { ...unavailable(10_000), feedbackIds: [one] },
        { ...unavailable(20_000), feedbackIds: others },
      ],
    });
    const after = [await parcelOf(database, one), await parcelOf(database, others[0] ?? 0)];
    expect(after.map(({ feedbackIds: ids }) => ids.map(Number))).toEqual([[one], others]);
    for (const { claim, oldestAt } of after) expect([claim, oldestAt]).toEqual([1, before.oldestAt]);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('fails a delivery whose next retry would be after three days', async () => {
    const { id } = await givenFeedback(database.em());
    await isOld(id, '2 days 23 hours');
    expect(await send(id, unavailable(30 * 60_000))).toBe('pending');
    expect(await send(id, unavailable(90 * 60_000))).toBe('failed');
    expect((await stored(id)).reason).toBe('retries_exhausted: server_error');
  });

  it('never fails a delivery that waits for a quota slot or the operator', async () => {
    const { id } = await givenFeedback(database.em());
    await isOld(id, '9 days');
    const postponed: Outcome = { ...unavailable(0), reason: 'quota', isCounted: false, attempt: null };
    expect(await send(id, postponed)).toBe('pending');
    expect((await stored(id)).attempts).toBe(0);
    expect(await send(id, rejected)).toBe('pending');
  });

  it('records a throttled attempt without counting it', async () => {
    const { id } = await givenFeedback(database.em());
    const throttled = { ...attempt, outcome: 'throttled', reason: 'slow down', httpStatus: 429 } as const;
    await send(id, { ...unavailable(10_000), reason: 'slow down', isCounted: false, attempt: throttled });
    expect(await stored(id)).toMatchObject({ attempts: 0, reason: 'slow down' });
    const attempts = await database.em().find(FeedbackAttempt, { feedback: id });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['throttled']);
  });

  it('stores the name of a platform request once for all its deliveries', async () => {
    const connection = await givenConnection(database.em());
    const { feedbackIds } = await givenParcel(database, { connection, size: 3 });
    const request = { name: 'r1', lookInMs: 1_800_000 };
    await settle(await claimed(feedbackIds[0] ?? 0), { ...delivered, attempt: { ...attempt, request } });
    const { rows } = await database.pool.query(
      `select r.name, r.account_id::int, count(a.*)::int as attempts, round(extract(epoch from r.look_at - r.created_at))::int as look_in
       from platform_request r join feedback_attempt a on a.platform_request = r.name
       where r.connection_id = $1 group by r.id`,
      [connection.id],
    );
    expect(rows).toEqual([{ name: 'r1', account_id: connection.account.id, attempts: 3, look_in: 1_800 }]);
  });

  it.each([
    ['a failure', failed],
    ['a retry', unavailable(10_000)],
    ['a rejection', rejected],
  ])('saves nothing of %s that a worker reports after its lease, when another has claimed', async (_name, outcome) => {
    const { id, connection } = await givenFeedback(database.em());
    const late = await claimed(id);
    const current = await claimed(id);
    expect((await settle(late, { ...outcome, attempt: null })).states).toEqual(new Map());
    expect([(await stored(id)).attempts, await stateOf(connection)]).toEqual([0, 'active']);
    await settle(current, delivered);
    expect((await settle(late, outcome)).states).toEqual(new Map());
    expect((await stored(id)).state).toBe('delivered');
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('keeps a delivery delivered, whatever a slower worker reports', async () => {
    const connection = await givenConnection(database.em());
    const { feedbackIds } = await givenParcel(database, { connection, size: 3 });
    const [id = 0, ...others] = feedbackIds;
    const late = await claimed(id);
    const current = await claimed(id);
    expect((await settle(late, delivered, [id])).states).toEqual(new Map([[id, 'delivered']]));
    // the others wait for the worker that has claimed them
    expect((await parcelOf(database, others[0] ?? 0)).feedbackIds.map(Number)).toEqual(others);
    expect(await parcelViolations(database.pool)).toEqual([]);
    expect((await settle(current, failed)).states).toEqual(new Map(others.map((other) => [other, 'failed'])));
    expect((await settle(late, delivered)).states).toEqual(new Map(others.map((other) => [other, 'delivered'])));
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('sends deliveries of a rejected connection when it is resumed', async () => {
    const { id, connection } = await givenFeedback(database.em());
    expect((await settle(await claimed(id), rejected)).isRejected).toBe(true);
    expect(await database.em().findOneOrFail(PlatformConnection, connection.id)).toMatchObject({
      state: 'needs_attention',
      stateReason: 'token revoked',
    });
    const { id: parcelId } = await parcelOf(database, id);
    const claim = parcelClaimer(database.pool);
    expect(await claim(parcelId)).toBeNull();
    expect(await resumeConnection(database.em(), connection.id)).toBe(1);
    expect(await claim(parcelId)).toMatchObject({ id: parcelId });
  });

  it('restarts the retry period of a delivery when its connection is resumed', async () => {
    const { id, connection } = await givenFeedback(database.em());
    await send(id, rejected);
    await isOld(id, '5 days');
    await resumeConnection(database.em(), connection.id);
    expect(await send(id, unavailable(10_000))).toBe('pending');
  });

  it('keeps a connection active that was changed or resumed since the rejected request', async () => {
    const { id, connection } = await givenFeedback(database.em());
    const parcel = await claimed(id);
    await resumeConnection(database.em(), connection.id);
    expect((await settle(parcel, rejected)).isRejected).toBe(false);
    expect(await stateOf(connection)).toBe('active');
    expect(await claimed(id)).toMatchObject({ connection: { version: parcel.connection.version + 1 } });
  });
});
