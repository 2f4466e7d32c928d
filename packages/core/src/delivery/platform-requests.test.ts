import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import {
  type RequestStatusEffect,
  closePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from '@leadback/core/delivery/request-status';
import { Delivery, DeliveryAttempt, PlatformConnection } from '@leadback/db';
import { givenConnection, givenDatabase, givenPlatformRequest, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { claimDue, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { openExplained, recordPlans } from '../../test/plans.ts';
import { platformRequests } from '../../test/platform-requests.ts';

const hourMs = 3_600_000;

describe('taking a due platform request', async () => {
  const database = await shared(givenDatabase());
  const requests = platformRequests(database);

  it('lets one worker at a time check a request status, with all data that it needs', async () => {
    const { id, name, connection } = await givenPlatformRequest(database.em(), { deliveries: 2 });
    const rounds = await Promise.all(Array.from({ length: 4 }, () => requests.take(id)));
    expect(rounds.filter((one) => one !== undefined)).toEqual([
      {
        id,
        name,
        checks: 1,
        isLastCheck: false,
        deliveries: 2,
        connection: {
          id: connection.id,
          accountId: connection.account.id,
          platform: 'google',
          version: connection.version,
          settings: connection.settings,
          eventNames: {},
          encryptedCredentials: connection.credentials,
          credentialsEnteredAt: expect.any(String),
        },
      },
    ]);
    expect(await requests.take(id)).toBeUndefined();
  });

  it('counts only the deliveries of a request, not those of another account with the same name', async () => {
    const { id, name } = await givenPlatformRequest(database.em(), { deliveries: 2 });
    await givenPlatformRequest(database.em(), { name, deliveries: 3 });
    expect(await requests.take(id)).toMatchObject({ deliveries: 2 });
  });

  it('lets a worker check a request status when the lease of a dead worker expires', async () => {
    const { id } = await givenPlatformRequest(database.em());
    await requests.taken(id);
    expect(await requests.taken(id)).toMatchObject({ checks: 2 });
  });

  it('does not check a request status before its pause is over', async () => {
    const { id } = await givenPlatformRequest(database.em());
    await postponePlatformRequest(database.pool, await requests.taken(id), hourMs);
    expect(await requests.take(id)).toBeUndefined();
    const { checkAt, createdAt } = await requests.stored(id);
    expect((checkAt?.getTime() ?? 0) - createdAt.getTime()).toBeGreaterThanOrEqual(hourMs);
  });

  it('does not check a request status while the connection needs attention', async () => {
    const em = database.em();
    const connection = await givenConnection(em, { platform: 'google', state: 'needs_attention' });
    const { id } = await givenPlatformRequest(em, { connection });
    expect(await requests.take(id)).toBeUndefined();
  });

  it('reads no due requests of connections that are not active to find those of active ones', async () => {
    await using quiet = await givenDatabase();
    const em = quiet.em();
    const stopped = await givenConnection(em, { platform: 'google', state: 'needs_attention' });
    await quiet.pool.query(
      `insert into platform_request (account_id, connection_id, name, check_at)
       select $1, $2, 'request ' || n, now() - interval '1 day' from generate_series(1, 3000) n`,
      [stopped.account.id, stopped.id],
    );
    const { id } = await givenPlatformRequest(em);
    await recordPlans(quiet);
    await using explained = await openExplained(quiet, 'force_generic_plan');
    const due = await takeDuePlatformRequests(explained.pool, 20);
    expect(due.map((one) => one.id)).toEqual([id]);
    const read = explained.takePlans().flatMap(({ nodes }) => nodes.map(({ rowsRead }) => rowsRead));
    expect(Math.max(...read)).toBeLessThan(100);
  });

  it.each([
    ['2 days 23 hours', 9, false],
    ['3 days', 9, true],
    ['3 days', 2, false],
  ])('for a request that is %s old after %d checks, is this the last check: %s', async (age, checks, isLastCheck) => {
    const { id } = await givenPlatformRequest(database.em());
    await database.pool.query(
      'update platform_request set created_at = now() - $2::interval, checks = $3 where id = $1',
      [id, age, checks],
    );
    expect(await requests.taken(id)).toMatchObject({ isLastCheck });
  });
});

const verdict = { kind: 'final', events: 2, findings: [] };
const stays: RequestStatusEffect = {
  state: 'delivered',
  reason: null,
  pauseMs: null,
  isOfAll: false,
  refusal: null,
  note: null,
  isConfirmed: true,
};
const fails: RequestStatusEffect = { ...stays, state: 'failed', reason: 'CLICK_NOT_FOUND', isOfAll: true };
const again: RequestStatusEffect = { ...stays, state: 'pending', reason: 'TOO_RECENT_CLICK', pauseMs: hourMs };

describe('the final status of a platform request', async () => {
  const database = await shared(givenDatabase());
  const requests = platformRequests(database);

  const given = (options: Parameters<typeof givenPlatformRequest>[1] = {}) =>
    givenPlatformRequest(database.em(), options);
  const close = async (id: number, effect: RequestStatusEffect) =>
    closePlatformRequest(database.pool, await requests.taken(id), { verdict, effect });

  it('stores the request status and leaves successful deliveries unchanged', async () => {
    const { id, deliveries } = await given({ deliveries: 2 });
    const before = await requests.deliveries(deliveries);
    const affected = await close(id, stays);
    expect(affected.toSorted((one, other) => one - other)).toEqual(deliveries);
    expect(await requests.stored(id)).toMatchObject({ verdict, checkAt: null });
    for (const delivery of before) delivery.isConfirmed = true;
    expect(await requests.deliveries(deliveries)).toEqual(before);
    expect(await requests.take(id)).toBeUndefined();
  });

  it('fails deliveries that the platform could not use', async () => {
    const { id, deliveries } = await given({ deliveries: 2 });
    await close(id, fails);
    const failed = { state: 'failed', reason: 'CLICK_NOT_FOUND', note: null };
    expect(await requests.deliveries(deliveries)).toMatchObject([failed, failed]);
  });

  it('retries deliveries after a pause if the reason is temporary', async () => {
    const { id, deliveries } = await given({ deliveries: 2 });
    await close(id, { ...again, note: 'note' });
    for (const row of await requests.deliveries(deliveries)) {
      expect(row).toMatchObject({ state: 'pending', reason: 'TOO_RECENT_CLICK', closedAt: null, note: 'note' });
      const { notBefore } = await parcelOf(database, row.id);
      expect(notBefore.getTime() - row.createdAt.getTime()).toBeGreaterThanOrEqual(hourMs);
    }
  });

  it.each([
    ['fails', fails, false],
    ['is retried', again, null],
  ])('forgets what was said of a delivery when it was accepted, if it %s', async (_case, effect, isConfirmed) => {
    const { id, deliveries } = await given();
    const said = { eventNote: 'count kept', isConfirmed: true };
    await database.em().nativeUpdate(Delivery, { id: deliveries[0] ?? 0 }, said);
    await close(id, { ...effect, isConfirmed: true });
    expect(await requests.deliveries(deliveries)).toMatchObject([{ eventNote: null, isConfirmed }]);
  });

  it('keeps what was said of a delivery when it was accepted, if the platform used it in part', async () => {
    const { id, deliveries } = await given();
    await database.em().nativeUpdate(Delivery, { id: deliveries[0] ?? 0 }, { eventNote: 'count kept' });
    await close(id, { ...stays, note: 'in part', isConfirmed: false });
    expect(await requests.deliveries(deliveries)).toMatchObject([{ eventNote: 'count kept', isConfirmed: false }]);
  });

  it('puts the deliveries of a request that are retried at the same time into one parcel', async () => {
    const { id, deliveries } = await given({ deliveries: 3 });
    await close(id, again);
    expect((await parcelOf(database, deliveries[0] ?? 0)).deliveryIds.map(Number)).toEqual(deliveries);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it.each([
    [
      'fails it if the reason is its own',
      true,
      null,
      { state: 'failed', reason: 'retries_exhausted: TOO_RECENT_CLICK' },
    ],
    [
      'keeps it delivered if only some deliveries have the reason',
      false,
      null,
      { state: 'delivered', reason: null, note: 'note' },
    ],
    ['retries it if an operator has retried it since', true, new Date(), { state: 'pending' }],
  ])('settles a temporary failure after three days: %s', async (_name, isOfAll, retriedSince, row) => {
    const { id, deliveries } = await given();
    await database.pool.query(
      `update delivery set created_at = now() - interval '2 days 23.5 hours', retried_since = $2 where id = any($1)`,
      [deliveries, retriedSince],
    );
    await close(id, { ...again, isOfAll, note: 'note' });
    expect(await requests.deliveries(deliveries)).toMatchObject([row]);
  });

  it('ignores the request status for deliveries that were sent again since', async () => {
    const { id, deliveries } = await given();
    const em = database.em();
    const row = await em.findOneOrFail(Delivery, deliveries[0] ?? 0);
    em.create(DeliveryAttempt, { account: row.account, delivery: row, outcome: 'delivered', durationMs: 1 });
    await em.flush();
    expect(await close(id, { ...fails, note: 'note' })).toEqual([]);
    expect(await requests.deliveries(deliveries)).toMatchObject([{ state: 'delivered', note: null }]);
  });

  it.each(['pending', 'failed', 'skipped'])('ignores the request status for deliveries that are %s', async (state) => {
    const { id, deliveries } = await given();
    await database.pool.query('update delivery set state = $2 where id = any($1)', [deliveries, state]);
    expect(await close(id, { ...fails, note: 'note' })).toEqual([]);
    expect(await requests.deliveries(deliveries)).toMatchObject([{ state, note: null }]);
  });

  it('stores the request status only once', async () => {
    const { id, deliveries } = await given();
    const request = await requests.taken(id);
    await closePlatformRequest(database.pool, request, { verdict, effect: { ...stays, note: 'first' } });
    expect(await closePlatformRequest(database.pool, request, { verdict: null, effect: fails })).toEqual([]);
    await postponePlatformRequest(database.pool, request, 0);
    expect(await requests.stored(id)).toMatchObject({ verdict, checkAt: null });
    expect(await requests.deliveries(deliveries)).toMatchObject([{ state: 'delivered', note: 'first' }]);
  });

  it('does not change deliveries of another account with the same request name', async () => {
    const one = await given();
    const other = await given({ name: one.name });
    const request = await requests.taken(one.id);
    const ofAnother = { ...request, connection: { ...request.connection, accountId: other.connection.account.id } };
    expect(await closePlatformRequest(database.pool, ofAnother, { verdict, effect: fails })).toEqual([]);
    expect(await closePlatformRequest(database.pool, request, { verdict, effect: fails })).toEqual(one.deliveries);
    expect(await requests.deliveries(other.deliveries)).toMatchObject([{ state: 'delivered' }]);
    expect(await requests.stored(other.id)).toMatchObject({ verdict: null });
  });
});

const refuses: RequestStatusEffect = {
  state: 'pending',
  reason: 'TERMS_NOT_SIGNED',
  pauseMs: null,
  isOfAll: true,
  refusal: 'TERMS_NOT_SIGNED: Google has used no event',
  note: null,
  isConfirmed: false,
};

describe('a request status that rejects the connection', async () => {
  const database = await shared(givenDatabase());
  const requests = platformRequests(database);

  const given = (options: Parameters<typeof givenPlatformRequest>[1] = {}) =>
    givenPlatformRequest(database.em(), { deliveries: 2, ...options });
  const close = async (request: Awaited<ReturnType<typeof requests.taken>>) =>
    closePlatformRequest(database.pool, request, { verdict: null, effect: refuses });
  const connectionOf = (id: number) => database.em().findOneOrFail(PlatformConnection, id);
  const due = (connection: PlatformConnection) => claimDue(database.pool, connection.id);
  /** How many of the deliveries wait for an operator. */
  const held = async (ids: readonly number[]) => {
    const { rowCount } = await database.pool.query(
      `select from delivery f join platform_connection c on c.id = f.connection_id
       where f.id = any($1) and f.state = 'pending' and f.closed_at is null and c.state <> 'active'`,
      [ids],
    );
    return rowCount;
  };

  it('sets a connection to needs_attention and holds its deliveries if the request status rejects it', async () => {
    const { id, deliveries, connection } = await given();
    // whatever their age: they wait, and have not failed
    await database.pool.query(`update delivery set created_at = now() - interval '9 days' where id = any($1)`, [
      deliveries,
    ]);
    expect(await close(await requests.taken(id))).toEqual(deliveries);
    expect(await connectionOf(connection.id)).toMatchObject({
      state: 'needs_attention',
      stateReason: 'TERMS_NOT_SIGNED: Google has used no event',
    });
    const waits = { state: 'pending', reason: 'TERMS_NOT_SIGNED', closedAt: null, note: null };
    expect(await requests.deliveries(deliveries)).toMatchObject([waits, waits]);
    expect(await held(deliveries)).toBe(2);
    expect(await due(connection)).toEqual([]);

    expect(await resumeConnection(database.em(), connection.id)).toBe(2);
    const { state, resumedAt } = await connectionOf(connection.id);
    expect(state).toBe('active');
    expect(resumedAt).toBeInstanceOf(Date);
    expect(await due(connection)).toEqual(deliveries);
  });

  it('retries rejected deliveries at once if the connection was resumed after the request', async () => {
    const { id, deliveries, connection } = await given();
    const before = await requests.taken(id);
    await resumeConnection(database.em(), connection.id);
    await close(before);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'active', stateReason: null });
    const [row] = await requests.deliveries(deliveries);
    expect(row).toMatchObject({ state: 'pending', reason: 'TERMS_NOT_SIGNED', retriedSince: expect.any(Date) });
    expect(await due(connection)).toEqual(deliveries);
  });

  it('retries rejected deliveries if the connection was resumed during the request', async () => {
    const connection = await givenConnection(database.em(), { platform: 'google' });
    await resumeConnection(database.em(), connection.id);
    // sent before the resume, settled after it
    const { id, name, deliveries } = await given({ connection });
    await database.pool.query('update delivery_attempt set duration_ms = 60000 where platform_request = $1', [name]);
    await close(await requests.taken(id));
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'active', stateReason: null });
    expect(await held(deliveries)).toBe(0);
    expect(await due(connection)).toEqual(deliveries);
  });

  it('rejects the connection if the attempts are deleted and the request is newer than the resume', async () => {
    const connection = await givenConnection(database.em(), { platform: 'google' });
    await resumeConnection(database.em(), connection.id);
    const { id, name } = await given({ connection });
    await database.asOwner('delete from delivery_attempt where platform_request = $1', [name]);
    await close(await requests.taken(id));
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'needs_attention' });
  });

  it('rejects the connection again if the request was made after the resume', async () => {
    const connection = await givenConnection(database.em(), { platform: 'google' });
    await resumeConnection(database.em(), connection.id);
    const { id, deliveries } = await given({ connection });
    await close(await requests.taken(id));
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'needs_attention' });
    expect(await held(deliveries)).toBe(2);
  });

  it('keeps a connection paused if an operator has paused it meanwhile', async () => {
    const { id, deliveries, connection } = await given();
    const request = await requests.taken(id);
    await pauseConnection(database.em(), connection.id);
    await close(request);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'paused', stateReason: null });
    expect(await held(deliveries)).toBe(2);
  });

  it('does not change connections of other accounts', async () => {
    const { id, connection, deliveries } = await given();
    const other = await givenConnection(database.em(), { platform: 'google' });
    const request = await requests.taken(id);
    const ofAnother = { ...request, connection: { ...request.connection, accountId: other.account.id } };
    expect(await close(ofAnother)).toEqual([]);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'active' });
    expect(await held(deliveries)).toBe(0);
  });

  it('loses no rejected delivery under a concurrent resume', async () => {
    for (let round = 0; round < 20; round += 1) {
      const one = await given();
      const other = await given({ connection: one.connection });
      const taken = [await requests.taken(one.id), await requests.taken(other.id)];
      const resume = () => resumeConnection(database.em(), one.connection.id);
      const closing = taken.map(close);
      await Promise.all(round % 2 === 0 ? [...closing, resume()] : [resume(), ...closing]);
      const { state } = await connectionOf(one.connection.id);
      expect(await parcelViolations(database.pool)).toEqual([]);
      expect(await held([...one.deliveries, ...other.deliveries])).toBe(state === 'active' ? 0 : 4);
    }
  });
});

const quota = (perMinute: number, perDay: number, waitMaxMs: number) => ({
  name: unique('quota'),
  perMinute,
  perDay,
  timeZone: 'America/Los_Angeles',
  waitMaxMs,
});

describe('quota slots', async () => {
  const database = await shared(givenDatabase());

  it('gives the first quota slot at once and spreads concurrent ones evenly', async () => {
    const wanted = quota(60, 1_000, 60_000);
    const slots = await Promise.all(Array.from({ length: 10 }, () => takeQuotaSlot(database.pool, wanted)));
    const waits = slots.map(({ inMs }) => inMs).toSorted((one, other) => one - other);
    expect(slots.every(({ taken }) => taken)).toBe(true);
    expect(waits[0]).toBe(0);
    const steps = waits.slice(1).map((wait, index) => wait - (waits[index] ?? 0));
    // slots are one second apart, less the time between two statements
    expect(Math.min(...steps)).toBeGreaterThan(500);
    expect(waits.at(-1)).toBeGreaterThan(8_000);
  });

  it('takes no quota slot that would be too late, and uses up none', async () => {
    const wanted = quota(1, 1_000, 1_000);
    expect(await takeQuotaSlot(database.pool, wanted)).toEqual({ taken: true, inMs: 0 });
    const later = await takeQuotaSlot(database.pool, wanted);
    expect(later.taken).toBe(false);
    expect(later.inMs).toBeGreaterThan(50_000);
    expect((await takeQuotaSlot(database.pool, wanted)).inMs).toBeLessThanOrEqual(later.inMs);
    expect(await takeQuotaSlot(database.pool, quota(1, 1_000, 1_000))).toMatchObject({ taken: true });
  });

  it("gives quota slots of the platform's next day when today's are used up", async () => {
    const wanted = quota(60_000, 2, 60_000);
    for (const _slot of [1, 2]) expect(await takeQuotaSlot(database.pool, wanted)).toMatchObject({ taken: true });
    const slot = await takeQuotaSlot(database.pool, wanted);
    const { rows } = await database.pool.query(
      `select extract(epoch from date_trunc('day', now() at time zone $1) + interval '1 day'
         - (now() at time zone $1))::float8 * 1000 as ms`,
      [wanted.timeZone],
    );
    expect(slot.taken).toBe(false);
    expect(Math.abs(slot.inMs - Number(rows[0]?.ms))).toBeLessThan(3_700_000);
    await database.pool.query(`update platform_quota set day = day - 1 where name = $1`, [wanted.name]);
    expect(await takeQuotaSlot(database.pool, wanted)).toMatchObject({ taken: true });
  });
});
