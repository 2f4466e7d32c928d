import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { type DeliveryState, matchKeySet } from '@leadback/domain';
import { Delivery, type PlatformConnection } from '@leadback/db';
import { qualityRoller } from '@leadback/core/quality/quality';
import {
  givenContacts,
  givenAccount,
  givenApiKey,
  givenConnection,
  givenManyDeliveries,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000);
const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const reportSchema = z.array(z.looseObject({ platform: z.string() }));

interface Settled {
  readonly state?: Exclude<DeliveryState, 'pending'>;
  readonly reason?: string;
  readonly keys?: Parameters<typeof matchKeySet>[0];
  readonly occurredAt?: Date;
  readonly isTest?: boolean;
}

describe('GET /report/quality', async () => {
  const api = await shared(givenApi());

  /** Deliveries as a worker settles them. */
  const settled = async (connection: PlatformConnection, rows: number, options: Settled = {}) => {
    const { pool } = api.database;
    const { state = 'delivered', reason = null, keys, occurredAt, isTest } = options;
    const ids = await givenManyDeliveries(api.database, {
      connection,
      rows,
      parcelSize: rows,
      ...(occurredAt && { occurredAt }),
      ...(isTest && { isTest }),
    });
    const { parcelId } = await api.database.em().findOneOrFail(Delivery, ids[0] ?? 0);
    const parcel = await parcelClaimer(pool, givenContacts())(parcelId ?? 0);
    if (parcel === null) throw new Error('the parcel was not claimed');
    const outcome = { state, reason, retryInMs: null, isCounted: true, attempt };
    const matchKeys = ids.map(() => (keys === undefined ? null : matchKeySet(keys)));
    await parcelSettler(pool)({ parcel, deliveries: [{ ...outcome, deliveryIds: ids, matchKeys }] });
    return ids;
  };

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const google = await givenConnection(em, { account, platform: 'google' });
    const get = (query: Record<string, string> = {}, apiKey = key) =>
      api.send('GET', `/api/v1/report/quality?${new URLSearchParams(query).toString()}`, { key: apiKey });
    const report = async (query?: Record<string, string>, apiKey = key) =>
      reportSchema.parse((await get(query, apiKey)).body);
    return { account, google, get, report };
  };

  it('reports the delivery outcomes of the conversions, their keys, and what would help most', async () => {
    const { account, google, report } = await givenPartner();
    const meta = await givenConnection(api.database.em(), { account });
    await settled(google, 6, { keys: { gclid: true, email: true } });
    await settled(google, 1, { state: 'skipped', reason: 'no_match_keys' });
    await settled(google, 2, { state: 'failed', reason: 'INVALID_VALUE: ana@x.example', keys: { phone: true } });
    await settled(google, 1, { state: 'failed', reason: 'Ana has no account', keys: { email: true } });
    await settled(meta, 1, { state: 'skipped', reason: 'consent' });
    await givenManyDeliveries(api.database, { connection: google, rows: 3 });
    const actions = z.object({ advice: z.array(z.object({ action: z.string(), affects: z.number() })) });
    const [ofMeta, ofGoogle] = await report();
    expect(ofGoogle).toMatchObject({
      platform: 'google',
      conversions: 10,
      delivered: 6,
      skipped: { no_match_keys: 1 },
      failed: { INVALID_VALUE: 2, other: 1 },
      keys: { gclid: 0.6, gbraid: 0, wbraid: 0, email: 0.7, phone: 0.2 },
    });
    expect(actions.parse(ofGoogle).advice).toEqual([
      { action: expect.stringContaining('`phoneNumber`'), affects: 0.8 },
      { action: expect.stringContaining('`email`'), affects: 0.3 },
      { action: expect.stringContaining('auto-tagging'), affects: 0.1 },
    ]);
    expect(ofMeta).toMatchObject({
      platform: 'meta',
      conversions: 1,
      delivered: 0,
      skipped: { consent: 1 },
      failed: {},
    });
  });

  it('takes the shares of those conversions of which it is known what they carried', async () => {
    const { google, report } = await givenPartner();
    await settled(google, 5); // without keys: as before they were counted
    expect(await report()).toMatchObject([{ conversions: 5, delivered: 5, keys: {}, advice: [] }]);
    await settled(google, 3, { state: 'failed', reason: 'crashed' });
    await settled(google, 4, { keys: { gclid: true, email: true } });
    await settled(google, 1, { state: 'skipped', reason: 'no_match_keys' });
    expect(await report()).toMatchObject([
      {
        conversions: 13,
        delivered: 9,
        keys: { gclid: 0.8, gbraid: 0, wbraid: 0, email: 0.8, phone: 0 },
        advice: [{ affects: 1 }, { affects: 0.2 }, { affects: 0.2 }],
      },
    ]);
  });

  it('reports the same before and after changes are rolled up, and after deliveries are deleted', async () => {
    const { account, google, report } = await givenPartner();
    await settled(google, 3, { keys: { gclid: true } });
    const before = await report();
    const rollUp = qualityRoller();
    while ((await rollUp(api.database.pool, 100)) > 0);
    expect(await report()).toEqual(before);
    await api.database.asOwner('delete from delivery_attempt where account_id = $1', [account.id]);
    await api.database.asOwner('delete from delivery where account_id = $1', [account.id]);
    expect(await report()).toEqual(before);
    expect(before).toMatchObject([{ conversions: 3, keys: { gclid: 1 } }]);
  });

  it('follows what happens to a delivery later', async () => {
    const { google, report } = await givenPartner();
    const ids = await settled(google, 2, { keys: { gclid: true } });
    const change = (state: string, reason: string | null) =>
      api.database.pool.query('update delivery set state = $2, reason = $3 where id = $1', [ids[0], state, reason]);
    await change('failed', 'EVENT_REJECTED');
    expect(await report()).toMatchObject([{ conversions: 2, delivered: 1, failed: { EVENT_REJECTED: 1 } }]);
    await change('pending', null);
    expect(await report()).toMatchObject([{ conversions: 1, delivered: 1, failed: {} }]);
    await change('delivered', null);
    expect(await report()).toMatchObject([{ conversions: 2, delivered: 2, keys: { gclid: 1 } }]);
  });

  it('counts on the day of the conversion, by default the last 30 days', async () => {
    const { google, report } = await givenPartner();
    const text = (days: number) => day(days).toISOString().slice(0, 10);
    await settled(google, 1);
    await settled(google, 2, { occurredAt: day(-29) });
    await settled(google, 4, { occurredAt: day(-30) });
    const conversions = async (query?: Record<string, string>) =>
      (await report(query)).map((platform) => platform['conversions']);
    expect(await conversions()).toEqual([3]);
    expect(await conversions({ from: text(-30) })).toEqual([7]);
    expect(await conversions({ to: text(-30) })).toEqual([4]);
    expect(await conversions({ from: text(-30), to: text(-29) })).toEqual([6]);
    expect(await conversions({ from: text(-20), to: text(-10) })).toEqual([]);
  });

  it('counts neither tests nor conversions of other accounts', async () => {
    const { account, google, report } = await givenPartner();
    await settled(google, 1, { isTest: true, keys: { email: true } });
    await settled((await givenPartner()).google, 1);
    const testKey = await givenApiKey(api.database.em(), { account, isTest: true });
    expect(await report()).toEqual([]);
    await settled(google, 1);
    expect(await report({}, testKey)).toEqual([]);
    expect(await report()).toMatchObject([{ conversions: 1 }]);
  });

  it('names the twenty most frequent reasons, and counts the others together', async () => {
    const { google, report } = await givenPartner();
    for (let code = 1; code <= 22; code += 1) {
      await settled(google, code === 22 ? 3 : 1, { state: 'failed', reason: `CODE_${code}: x`, keys: {} });
    }
    const [ofGoogle] = await report();
    const failed = z.record(z.string(), z.number()).parse(ofGoogle?.['failed']);
    expect(Object.keys(failed)).toHaveLength(21);
    expect(failed).toMatchObject({ CODE_22: 3, other: 2 });
  });

  it.each([
    [{ from: '2026-13-01' }, 'from: expected a day such as 2026-11-21'],
    [{ to: 'today' }, 'to: expected a day such as 2026-11-21'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'from: is after to'],
    [{ from: '2025-01-01', to: '2026-11-01' }, 'from: expected at most 400 days up to to'],
  ])('answers 400 to %j', async (query, message) => {
    const { get } = await givenPartner();
    const { status, body } = await get(query);
    expect([status, body]).toEqual([400, { message }]);
  });
});
