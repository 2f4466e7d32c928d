import { listConversions, type ListPosition } from '@leadback/core/conversions/read';
import { type Account, Delivery, DeliveryAttempt, DeliveryDue, PlatformConnection } from '@leadback/db';
import type { DeliveryState, PlatformName } from '@leadback/domain';
import {
  givenApiKey,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenManyDeliveries,
  shared,
  unique,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner, idOf, order } from './given-api.ts';

const api = await shared(givenApi());

/** Conversions with one delivery each; one has none. */
const givenDeliveries = async (account: Account) => {
  const ids: Record<string, number> = {};
  for (const platform of ['meta', 'google'] satisfies PlatformName[]) {
    const connection = await givenConnection(api.database.em(), { account, platform });
    for (const state of ['delivered', 'failed', 'skipped'] satisfies DeliveryState[]) {
      const { conversion } = await givenDelivery(api.database.em(), { connection, state });
      ids[`${platform} ${state}`] = conversion?.id ?? 0;
    }
    await givenManyDeliveries(api.database, { connection, rows: 1 });
  }
  await givenConversion(api.database.em(), { account });
  return ids;
};

describe('GET endpoints', () => {
  it('returns a client as registered, with null for fields that were not sent', async () => {
    const { client, leadReference, get, register } = await givenPartner(api);
    const id = idOf(await register({ email: ' Ana@x.example ' }));
    const { status, body } = await get(`/client/${id}`);
    expect([status, body]).toEqual([
      200,
      {
        id,
        leadId: client.lead.id,
        leadReference,
        name: null,
        email: 'Ana@x.example',
        phoneNumber: null,
        externalReference: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        clicks: [
          {
            leadId: client.lead.id,
            leadReference,
            clickedAt: expect.stringMatching(/Z$/),
            page: expect.any(String),
            campaign: null,
          },
        ],
      },
    ]);
  });

  it('returns a conversion by id and by reference, with its delivery to each platform', async () => {
    const { client, leadReference, get, sell, connections } = await givenPartner(api, {
      platforms: ['meta', 'google'],
    });
    const via = connections.map(({ id, destination }) => ({ id, label: destination }));
    const conversionExternalReference = `${unique('order')} ñ&?`;
    const id = await sell({ amount: 10.005, currency: 'ARS', conversionExternalReference });
    const pending = {
      state: 'pending',
      reason: null,
      attempts: 0,
      nextAttemptAt: expect.any(String),
      closedAt: null,
      note: null,
      confirmed: null,
    };
    const expected = {
      id,
      clientId: client.id,
      leadId: client.lead.id,
      clicks: [
        {
          leadId: client.lead.id,
          leadReference,
          clickedAt: expect.any(String),
          page: expect.any(String),
          campaign: null,
          counted: true,
        },
      ],
      amount: 10.01,
      originalAmount: 10.01,
      currency: 'ARS',
      conversionExternalReference,
      eventId: conversionExternalReference,
      occurredAt: expect.any(String),
      isTest: false,
      createdAt: expect.any(String),
      deliveries: [
        { connection: via[0], platform: 'meta', ...pending },
        { connection: via[1], platform: 'google', ...pending },
      ],
      adjustments: [],
    };
    const byId = await get(`/client/conversion/${id}`);
    expect([byId.status, byId.body]).toEqual([200, expected]);
    const query = new URLSearchParams({ externalReference: conversionExternalReference });
    const byReference = await get(`/client/conversion?${query.toString()}`);
    expect([byReference.status, byReference.body]).toEqual([200, expected]);
  });

  it('returns the state, reason and times of each delivery', async () => {
    const { account, conversion, sell } = await givenPartner(api);
    const em = api.database.em();
    const connections = [];
    for (const state of ['active', 'active', 'needs_attention', 'active'] as const) {
      connections.push(await givenConnection(em, { account, state, label: `Shop ${connections.length}` }));
    }
    const [delivered, failing, refused, sending] = connections.map(({ id }) => id);
    const id = await sell();
    const closedAt = new Date('2026-11-21T12:00:00.000Z');
    const retryAt = new Date('2036-11-21T12:00:00.000Z');
    const of = (connection = 0) => ({ conversion: id, connection });
    await em.nativeUpdate(Delivery, of(delivered), { state: 'delivered', attempts: 1, closedAt });
    await em.nativeUpdate(Delivery, of(failing), { reason: 'HTTP 503', attempts: 2 });
    await em.nativeUpdate(DeliveryDue, { connectionId: failing ?? 0 }, { notBefore: retryAt });
    await em.nativeUpdate(PlatformConnection, { id: refused ?? 0 }, { stateReason: '190: expired' });
    const lease = { phase: 'claimed', claim: 1, notBefore: retryAt } as const;
    await em.nativeUpdate(DeliveryDue, { connectionId: sending ?? 0 }, lease);
    const report = { platform: 'meta', nextAttemptAt: null, closedAt: null };
    expect(await conversion(id)).toMatchObject({
      deliveries: [
        {
          ...report,
          connection: { id: delivered, label: 'Shop 0' },
          state: 'delivered',
          reason: null,
          attempts: 1,
          closedAt: closedAt.toISOString(),
        },
        { ...report, state: 'pending', reason: 'HTTP 503', attempts: 2, nextAttemptAt: retryAt.toISOString() },
        { ...report, state: 'pending', reason: 'the connection needs attention: 190: expired', attempts: 0 },
        { ...report, connection: { id: sending, label: 'Shop 3' }, state: 'pending', reason: null, attempts: 0 },
      ],
    });
    expect(await em.count(DeliveryAttempt, { account })).toBe(0);
  });

  it.each(['/client/1', '/client/conversion/1', '/client/conversion?externalReference=x'])(
    'answers 404 for a missing record: %s',
    async (path) => {
      const { get } = await givenPartner(api);
      const { status, body } = await get(path);
      expect([status, body]).toEqual([404, { message: expect.stringMatching(/^(id|externalReference): no /) }]);
    },
  );

  it.each([
    ['/client/abc', 'id: expected a positive whole number'],
    ['/client/0', 'id: expected a positive whole number'],
    ['/client/-1', 'id: expected a positive whole number'],
    ['/client/1.5', 'id: expected a positive whole number'],
    ['/client/9007199254740993', 'id: expected a positive whole number'],
    ['/client/conversion/1e3', 'id: expected a positive whole number'],
    ['/client/conversion', 'externalReference: expected a string'],
    ['/client/conversion?externalReference=', 'externalReference: must not be empty'],
    ['/client/conversion?externalReference=a&externalReference=b', 'externalReference: expected a string'],
    [`/client/conversion?externalReference=${'x'.repeat(256)}`, 'externalReference: longer than 255 characters'],
    ['/client/conversion?externalReference=%00', 'externalReference: has control characters'],
    ['/client/%E0%A4%A', 'path: not valid percent-encoding'],
  ])('answers 400 with the reason to %s', async (path, message) => {
    const { get } = await givenPartner(api);
    const { status, body } = await get(path);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('finds test data only with a test key, and live data only with a live key', async () => {
    const live = await givenPartner(api);
    const test = await givenPartner(api, { account: live.account, isTest: true });
    const one = order();
    const path = `/client/conversion?externalReference=${one.conversionExternalReference}`;
    const tested = await test.sell(one);
    expect((await live.get(path)).status).toBe(404);
    const real = await live.sell(one);
    expect((await test.get(path)).body).toMatchObject({ id: tested, isTest: true });
    expect((await live.get(path)).body).toMatchObject({ id: real, isTest: false });
    expect((await live.get(`/client/conversion/${tested}`)).status).toBe(404);
    expect((await test.get(`/client/conversion/${real}`)).status).toBe(404);
    expect(await test.conversion(tested)).toMatchObject({ isTest: true, clientId: test.client.id });
    expect((await test.get(`/client/${live.client.id}`)).status).toBe(404);
    expect((await live.get(`/client/${test.client.id}`)).status).toBe(404);
    expect((await test.get(`/client/${test.client.id}`)).body).toMatchObject({ externalReference: 'C1' });
  });
});

const pageSchema = z.object({
  items: z.array(z.looseObject({ id: z.number(), occurredAt: z.string() })),
  next: z.string().nullable(),
});

const given = async () => {
  const partner = await givenPartner(api);
  const list = (query: Record<string, string> = {}, sending?: { key: string }) =>
    partner.get(`/client/conversions?${new URLSearchParams(query).toString()}`, sending);
  const page = async (query?: Record<string, string>, sending?: { key: string }) =>
    pageSchema.parse((await list(query, sending)).body);
  /** The ids on each page. */
  const pages = async (query: Record<string, string>) => {
    const all: number[][] = [];
    for (let after: string | null = ''; after !== null; ) {
      const { items, next } = await page({ ...query, after });
      all.push(items.map(({ id }) => id));
      after = next;
    }
    return all;
  };
  const sold = async (occurredAt: string, isTest = false) =>
    (await givenConversion(api.database.em(), { account: partner.account, isTest, occurredAt: new Date(occurredAt) }))
      .id;
  return { ...partner, list, page, pages, sold };
};

describe('GET /client/conversions', () => {
  it('returns the newest conversions first, page by page, each once', async () => {
    const { pages, sold } = await given();
    const days = ['2026-11-03', '2026-11-01', '2026-11-02', '2026-11-02', '2026-11-02', '2026-11-04'];
    const [third = 0, first = 0, a = 0, b = 0, c = 0, fourth = 0] = await Promise.all(
      days.map((day) => sold(`${day}T12:00:00Z`)),
    );
    const second = [a, b, c].toSorted((one, other) => other - one);
    const all = [fourth, third, ...second, first];
    expect(await pages({ limit: '2' })).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(await pages({})).toEqual([all]);
    expect(await pages({ limit: '6' })).toEqual([all]);
  });

  it('returns each conversion as reading it by its id does', async () => {
    const { account, conversion, page } = await given();
    const connection = await givenConnection(api.database.em(), { account });
    await givenManyDeliveries(api.database, { connection, rows: 2 });
    await givenConversion(api.database.em(), { account });
    const { items } = await page();
    expect(items).toHaveLength(3);
    for (const item of items) {
      expect(item).toEqual(await conversion(item.id));
    }
  });

  it('filters by the days in UTC on which conversions occurred, both inclusive', async () => {
    const { pages, sold } = await given();
    await sold('2026-11-01T23:59:59.999Z');
    const begin = await sold('2026-11-02T00:00:00Z');
    const end = await sold('2026-11-03T23:59:59.999Z');
    const later = await sold('2026-11-04T00:00:00Z');
    expect(await pages({ from: '2026-11-02', to: '2026-11-03' })).toEqual([[end, begin]]);
    expect(await pages({ from: '2026-11-04' })).toEqual([[later]]);
    expect(await pages({ to: '2026-11-01' })).toEqual([[expect.any(Number)]]);
    expect(await pages({ from: '2026-11-05' })).toEqual([[]]);
  });

  it('filters by platform and state of one delivery', async () => {
    const { account, pages } = await given();
    const ids = await givenDeliveries(account);
    for (const [name, id] of Object.entries(ids)) {
      const [platform = '', state = ''] = name.split(' ');
      expect(await pages({ platform, state })).toEqual([[id]]);
    }
    expect(await pages({ state: 'failed' })).toEqual([[ids['google failed'], ids['meta failed']]]);
    expect(await pages({ state: 'failed', limit: '1' })).toEqual([[ids['google failed']], [ids['meta failed']]]);
    expect(await pages({ state: 'delivered', limit: '1' })).toEqual([
      [ids['google delivered']],
      [ids['meta delivered']],
    ]);
    for (const platform of ['meta', 'google']) {
      expect((await pages({ platform })).flat()).toHaveLength(4);
      expect((await pages({ platform, state: 'pending' })).flat()).toHaveLength(1);
    }
    expect((await pages({ state: 'pending', from: '2026-01-01' })).flat()).toHaveLength(2);
    expect(await pages({ platform: 'tiktok' })).toEqual([[]]);
    expect((await pages({})).flat()).toHaveLength(9);
  });

  it('finds a conversion once that two deliveries match, on no other page', async () => {
    const { account, pages } = await given();
    const em = api.database.em();
    const connections = [await givenConnection(em, { account }), await givenConnection(em, { account })];
    const expected: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const conversion = await givenConversion(em, { account });
      for (const connection of connections) await givenDelivery(em, { connection, conversion, state: 'failed' });
      expected.unshift(conversion.id);
    }
    const inTwos = [expected.slice(0, 2), expected.slice(2, 4), expected.slice(4)];
    for (const query of [{ state: 'failed' }, { platform: 'meta' }, { platform: 'meta', state: 'failed' }]) {
      expect(await pages({ ...query, limit: '2' })).toEqual(inTwos);
    }
  });

  it('follows a delivery from state to state', async () => {
    const { account, page } = await given();
    const delivery = await givenDelivery(api.database.em(), {
      connection: await givenConnection(api.database.em(), { account }),
    });
    for (const state of ['skipped', 'pending', 'delivered', 'failed', 'delivered']) {
      await api.database.pool.query('update delivery set state = $2 where id = $1', [delivery.id, state]);
      const { items } = await page({ state, platform: 'meta' });
      expect([state, items.map(({ id }) => id)]).toEqual([state, [delivery.conversion?.id]]);
    }
  });

  it('reads only so many deliveries for a page, and the others for the next ones', async () => {
    const { account, pages } = await given();
    const em = api.database.em();
    const meta = await givenConnection(em, { account });
    const google = await givenConnection(em, { account, platform: 'google' });
    const old = [await givenDelivery(em, { connection: meta, state: 'delivered' })];
    await givenManyDeliveries(api.database, { connection: meta, rows: 40, state: 'skipped' });
    old.unshift(await givenDelivery(em, { connection: google, state: 'delivered' }));
    await givenManyDeliveries(api.database, { connection: google, rows: 60, state: 'skipped' });
    const expected = old.map(({ conversion }) => conversion?.id);

    const mode = { accountId: account.id, isTest: false };
    const found: number[][] = [];
    for (let after: ListPosition | undefined; ; ) {
      const { items, next } = await listConversions(api.database.pool, mode, {
        state: 'delivered',
        limit: 5,
        after,
        readMax: 20,
      });
      found.push(items.map(({ id }) => id));
      if (next === undefined) break;
      after = next;
    }
    expect(found.flat()).toEqual(expected);
    expect(found.length).toBeGreaterThan(5);
    expect(await pages({ state: 'delivered' })).toEqual([expected]);
    expect(await listConversions(api.database.pool, mode, { state: 'pending', limit: 1, readMax: 20 })).toEqual({
      items: [],
      next: undefined,
    });
  });

  it('loses no conversion where the searches of two connections end', async () => {
    const { account } = await given();
    const em = api.database.em();
    const connections = [
      await givenConnection(em, { account }),
      await givenConnection(em, { account, platform: 'google' }),
    ];
    const expected: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const conversion = await givenConversion(em, { account });
      for (const [index, connection] of connections.entries()) {
        const state = index === count % 2 ? 'delivered' : 'skipped';
        await givenDelivery(em, { connection, conversion, state });
      }
      expected.unshift(conversion.id);
    }
    for (const readMax of [1, 2, 4, 6, 100]) {
      const found: number[] = [];
      let after: ListPosition | undefined;
      do {
        const { items, next } = await listConversions(
          api.database.pool,
          { accountId: account.id, isTest: false },
          { state: 'delivered', limit: 2, after, readMax },
        );
        found.push(...items.map(({ id }) => id));
        after = next;
      } while (after !== undefined);
      expect([readMax, found]).toEqual([readMax, expected]);
    }
  });

  it('lists tests for a test key only, and nothing of other accounts', async () => {
    const { account, page, sold } = await given();
    await (await given()).sold('2026-11-02T00:00:00Z');
    const live = await sold('2026-11-02T00:00:00Z');
    const test = await sold('2026-11-03T00:00:00Z', true);
    const connection = await givenConnection(api.database.em(), { account });
    await givenManyDeliveries(api.database, { connection, rows: 1, isTest: true, state: 'failed' });
    const byTest = { key: await givenApiKey(api.database.em(), { account, isTest: true }) };
    expect((await page()).items).toMatchObject([{ id: live, isTest: false }]);
    expect((await page({}, byTest)).items).toMatchObject([{ isTest: true }, { id: test, isTest: true }]);
    expect((await page({ state: 'failed' })).items).toEqual([]);
    expect((await page({ state: 'failed' }, byTest)).items).toHaveLength(1);
  });

  it.each([
    ['from', '2026-02-30', 'expected a day such as 2026-11-21'],
    ['to', '21/11/2026', 'expected a day such as 2026-11-21'],
    ['to', '9999-12-31', 'expected a day such as 2026-11-21'],
    ['platform', 'Meta', 'expected meta, google, tiktok, linkedin or microsoft'],
    ['state', 'lost', 'expected pending, delivered, failed or skipped'],
    ['limit', '0', 'expected a whole number from 1 to 200'],
    ['limit', '201', 'expected a whole number from 1 to 200'],
    ['limit', '1.5', 'expected a whole number from 1 to 200'],
    ['after', 'abc', 'expected the value of next from the page before'],
    ...['2026-02-30', '0000-01-01'].map((day) => [
      'after',
      Buffer.from(`${day}T00:00:00.000000Z 1`).toString('base64url'),
      'expected the value of next from the page before',
    ]),
  ])('answers 400 to %s=%s', async (field, value, message) => {
    const { list } = await given();
    const { status, body } = await list({ [field]: value });
    expect([status, body]).toEqual([400, { message: `${field}: ${message}` }]);
  });

  it('answers 400 if from is after to', async () => {
    const { list } = await given();
    const { status, body } = await list({ from: '2026-11-02', to: '2026-11-01' });
    expect([status, body]).toEqual([400, { message: 'from: is after to' }]);
  });

  it('takes empty parameters as not sent', async () => {
    const { list } = await given();
    const none = { from: '', to: '', platform: ' ', state: '', limit: '', after: '' };
    expect(await list(none)).toMatchObject({ status: 200, body: { items: [], next: null } });
  });
});
