import {
  closePlatformRequest,
  postponePlatformRequest,
  type RequestStatusEffect,
} from '@leadback/core/delivery/request-status';
import { Delivery, DeliveryAttempt } from '@leadback/db';
import { givenDatabase, givenPlatformRequest, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { parcelOf, parcelViolations } from '../../test/parcels.ts';
import { platformRequests } from '../../test/platform-requests.ts';

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
const hourMs = 3_600_000;
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
    expect(await requests.stored(id)).toMatchObject({ verdict, lookAt: null });
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
    ['fails', fails],
    ['is retried', again],
  ])('forgets what was said of a delivery when it was accepted, if it %s', async (_case, effect) => {
    const { id, deliveries } = await given();
    const said = { eventNote: 'count kept', isConfirmed: true };
    await database.em().nativeUpdate(Delivery, { id: deliveries[0] ?? 0 }, said);
    await close(id, { ...effect, isConfirmed: true });
    expect(await requests.deliveries(deliveries)).toMatchObject([{ eventNote: null, isConfirmed: null }]);
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
    expect(await requests.stored(id)).toMatchObject({ verdict, lookAt: null });
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
