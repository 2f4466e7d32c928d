import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { adviceTexts, qualityRoller } from '@leadback/core/quality/quality';
import { Delivery, type PlatformConnection } from '@leadback/db';
import { type DeliveryState, type PlatformName, matchKeySet } from '@leadback/domain';
import {
  givenApiKey,
  givenClient,
  givenConnection,
  givenContacts,
  givenConversion,
  givenLead,
  givenManyDeliveries,
  shared,
  unique,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner, sale } from './given-api.ts';

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

const api = await shared(givenApi());

const given = async () => {
  const { account, connections, get: send } = await givenPartner(api, { platforms: ['google'] });
  const [google] = connections;
  if (!google) throw new Error('the connection is missing');
  const get = (query: Record<string, string> = {}, sending?: { key: string }) =>
    send(`/report/quality?${new URLSearchParams(query).toString()}`, sending);
  const report = async (query?: Record<string, string>, sending?: { key: string }) =>
    reportSchema.parse((await get(query, sending)).body);
  return { account, google, get, report };
};

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

describe('GET /report/quality', () => {
  it('reports the delivery outcomes of the conversions, their keys, and what would help most', async () => {
    const { account, google, report } = await given();
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
    const { google, report } = await given();
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
    const { account, google, report } = await given();
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
    const { google, report } = await given();
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
    const { google, report } = await given();
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

  it('tells what waits, for whom and since when, sales that no connection took, and first what blocks', async () => {
    const { account, google, report } = await given();
    const { pool } = api.database;
    const em = api.database.em();
    await settled(google, 4, { keys: { gclid: true } });
    const meta = await givenConnection(em, { account, label: 'Shop', state: 'needs_attention' });
    await pool.query(`update platform_connection set state_reason = '190: expired' where id = $1`, [meta.id]);
    await givenManyDeliveries(api.database, { connection: meta, rows: 6, occurredAt: day(-2) });
    const paused = await givenConnection(em, { account, platform: 'tiktok', state: 'paused' });
    const untold = await givenConversion(em, { account });
    await pool.query('update conversion set is_untold = true where id = $1', [untold.id]);
    const reports = z
      .array(z.looseObject({ advice: z.array(z.looseObject({ action: z.string() })) }))
      .parse(await report());
    const [ofMeta, ofGoogle, ofTiktok] = reports;
    expect(ofMeta).toMatchObject({
      platform: 'meta',
      conversions: 0,
      pending: 6,
      undelivered: 1,
      oldestPendingAt: expect.stringMatching(/Z$/),
      needsAttention: [
        { connection: { id: meta.id, label: 'Shop' }, since: expect.any(String), reason: '190: expired', waiting: 6 },
      ],
    });
    expect(ofMeta?.advice.map(({ action }) => action)).toEqual([
      'Ask your operator to fix the connection "Shop", which Meta rejects; deliveries that wait for it: 6. Meta says: 190: expired',
      'Ask your operator to report the sales that no connection took (1): `connection backfill`.',
    ]);
    expect(ofGoogle).toMatchObject({
      platform: 'google',
      conversions: 4,
      pending: 0,
      undelivered: 1,
      needsAttention: [],
    });
    // nothing waits for it
    expect(ofTiktok).toMatchObject({ platform: 'tiktok', needsAttention: [] });
    await givenManyDeliveries(api.database, { connection: paused, rows: 1 });
    expect((await report())[2]).toMatchObject({ pending: 1, needsAttention: [{ reason: 'paused', waiting: 1 }] });
    expect(await report({ from: '2026-01-01', to: '2026-01-02' })).toMatchObject([
      { platform: 'meta', pending: 6, undelivered: 0 },
      { platform: 'tiktok' },
    ]);
  });

  it('counts neither tests nor conversions of other accounts', async () => {
    const { account, google, report } = await given();
    await settled(google, 1, { isTest: true, keys: { email: true } });
    await settled((await given()).google, 1);
    const testKey = await givenApiKey(api.database.em(), { account, isTest: true });
    expect(await report()).toEqual([]);
    await settled(google, 1);
    expect(await report({}, { key: testKey })).toEqual([]);
    expect(await report()).toMatchObject([{ conversions: 1 }]);
  });

  it('names the twenty most frequent reasons, and counts the others together', async () => {
    const { google, report } = await given();
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
    const { get } = await given();
    const { status, body } = await get(query);
    expect([status, body]).toEqual([400, { message }]);
  });
});

const responseSchema = z.object({ id: z.number(), warnings: z.array(z.string()) });
const { email, phone, externalId, click, consent, time } = adviceTexts;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const givenTester = async (platforms: readonly PlatformName[] = []) => {
  const partner = await givenPartner(api, { isTest: true, platforms });
  const warned = async (...request: Parameters<typeof partner.post>) =>
    responseSchema.parse((await partner.post(...request)).body).warnings;
  /** Warnings about a client with this lead. */
  const registered = async (fields: object, lead: Parameters<typeof givenLead>[1] = {}) => {
    const { reference: leadReference } = await givenLead(api.database.em(), { ...lead, account: partner.account });
    return warned('/client', { leadReference, ...fields });
  };
  return { ...partner, warned, registered };
};

describe('warnings to testers', () => {
  const complete = { email: 'ana@x.example', phoneNumber: '011 2345-6789', externalReference: 'c-1' };
  const clicked = { clickParameters: { gclid: 'CjwK' } };

  it('warns of everything that a client lacks, and of nothing if it is complete', async () => {
    const { registered } = await givenTester();
    expect(await registered({})).toEqual([email, phone, externalId, click]);
    expect(await registered(complete, clicked)).toEqual([]);
    expect(await registered({ ...complete, externalReference: 'c-2' })).toEqual([click]);
  });

  it('warns of a phone number that cannot be read in the country of the account, without quoting it', async () => {
    const { registered } = await givenTester();
    const [warning, ...others] = await registered({ ...complete, phoneNumber: '555-1212' }, clicked);
    expect(others).toEqual([]);
    expect(warning).toMatch(/^`phoneNumber` is not a valid number of your account's country/);
    expect(warning).not.toContain('1212');
  });

  it('warns of a reference that is an email, by the name of its field and without quoting it', async () => {
    const { registered, warned } = await givenTester();
    const externalReference = `${unique('ana')}@x.example`;
    const [warning, ...others] = await registered({ ...complete, externalReference }, clicked);
    expect(others).toEqual([]);
    expect(warning).toMatch(/^`externalReference` is an email/);
    expect(warning).not.toContain('@');
    const conversion = { amount: 1, currency: 'USD', clientExternalReference: externalReference };
    const ofOrder = await warned('/client/conversion', { ...conversion, conversionExternalReference: 'bo@x.example' });
    expect(ofOrder.filter((one) => one.includes('is an email'))).toEqual([
      expect.stringMatching(/^`clientExternalReference` /),
      expect.stringMatching(/^`conversionExternalReference` /),
    ]);
  });

  it('warns of nothing that the platforms of the account do not match by', async () => {
    const { registered } = await givenTester(['linkedin']);
    expect(await registered({ phoneNumber: '011 2345-6789' })).toEqual([email, click]);
    expect(await registered(complete, clicked)).toEqual([click]);
    expect(await registered({}, { clickParameters: { li_fat_id: 'df5gf5-gh6t7' } })).toEqual([email]);
  });

  it('takes contact data of the landing page into account only if the visitor agreed to sharing', async () => {
    const { registered } = await givenTester();
    const left = { ...clicked, email: 'ana@x.example', phone: '011 2345-6789' };
    const externalReference = unique('client');
    expect(await registered({ externalReference }, { ...left, consent: true })).toEqual([]);
    expect(await registered({ externalReference: unique('client') }, left)).toEqual([email, phone]);
  });

  it('warns about the client of a conversion, and of a sale without a reference of its own, also with an Idempotency-Key', async () => {
    const { account, warned } = await givenTester();
    await givenClient(api.database.em(), { account, isTest: true, externalReference: 'c-1', lead: clicked });
    const ofClient = { ...sale, clientExternalReference: 'c-1' };
    const [safeRetry, ...others] = await warned('/client/conversion', ofClient);
    expect(safeRetry).toContain('`Idempotency-Key`');
    expect(others).toEqual([email, phone]);
    expect(await warned('/client/conversion', { ...ofClient, conversionExternalReference: 'o-1' })).toEqual([
      email,
      phone,
    ]);
    expect(await warned('/client/conversion', ofClient, { headers: { 'idempotency-key': unique('key') } })).toEqual([
      safeRetry,
      email,
      phone,
    ]);
  });

  it('warns of visitors who refused consent, and then of nothing that they lack', async () => {
    const { account, registered, warned } = await givenTester();
    expect(await registered({}, { consent: false })).toEqual([consent]);
    const lead = { consent: false };
    await givenClient(api.database.em(), { account, isTest: true, externalReference: 'c-1', lead });
    const ofClient = { ...sale, clientExternalReference: 'c-1', conversionExternalReference: 'o-1' };
    expect(await warned('/client/conversion', ofClient)).toEqual([consent]);
  });

  it('warns of a conversion that is too old for a platform of the account, and only of keys of the others', async () => {
    const { account, warned } = await givenTester(['meta', 'linkedin']);
    await givenClient(api.database.em(), { account, isTest: true, externalReference: 'c-1' });
    const ofClient = { ...sale, clientExternalReference: 'c-1' };
    const ofAge = (days: number) =>
      warned('/client/conversion', { ...ofClient, conversionExternalReference: `${days}`, occurredAt: daysAgo(days) });
    expect(await ofAge(6)).toEqual([email, phone, click]);
    expect(await ofAge(8)).toEqual([time, email, click]);
    expect(await ofAge(91)).toEqual([time]);
  });

  it('repeats the warnings to a repeated request', async () => {
    const { leadReference, warned } = await givenTester();
    const headers = { 'idempotency-key': unique('key') };
    const first = await warned('/client', { leadReference }, { headers });
    expect(await warned('/client', { leadReference }, { headers })).toEqual(first);
  });

  it('leaves responses to live keys as they are', async () => {
    const { register, convert } = await givenPartner(api);
    const client = await register({ externalReference: 'c-1' });
    const again = await register({ externalReference: 'c-1' });
    const conversion = await convert({ clientExternalReference: 'c-1' });
    expect(Object.keys(z.object({}).loose().parse(client.body))).toEqual(['id']);
    expect(again.body).toEqual(client.body);
    expect(Object.keys(z.object({}).loose().parse(conversion.body))).toEqual(['id', 'leadId']);
  });
});
