import { Delivery, DeliveryAttempt, DeliveryDue, PlatformConnection } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, givenConnection, givenLead, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const created = z.object({ id: z.number() });

describe('GET endpoints', async () => {
  const api = await shared(givenApi());

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const get = (path: string, apiKey = key) => api.send('GET', `/api/v1${path}`, { key: apiKey });
    const post = async (path: string, body: unknown, apiKey = key) =>
      created.parse((await api.send('POST', `/api/v1${path}`, { key: apiKey, body })).body).id;
    return { account, key, get, post };
  };

  it('returns a client as registered, with null for fields that were not sent', async () => {
    const { account, get, post } = await givenPartner();
    const lead = await givenLead(api.database.em(), { account });
    const id = await post('/client', { leadReference: lead.reference, email: ' Ana@x.example ' });
    const { status, body } = await get(`/client/${id}`);
    expect([status, body]).toEqual([
      200,
      {
        id,
        leadId: lead.id,
        leadReference: lead.reference,
        name: null,
        email: 'Ana@x.example',
        phoneNumber: null,
        externalReference: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });

  it('returns a conversion by id and by reference, with its delivery to each platform', async () => {
    const { account, get, post } = await givenPartner();
    const em = api.database.em();
    const client = await givenClient(em, { account, externalReference: 'C1' });
    await givenConnection(em, { account });
    await givenConnection(em, { account, platform: 'google' });
    const conversionExternalReference = `${unique('order')} ñ&?`;
    const amount = 10.005;
    const id = await post('/client/conversion', {
      amount,
      currency: 'ARS',
      clientExternalReference: 'C1',
      conversionExternalReference,
    });
    const pending = {
      state: 'pending',
      reason: null,
      attempts: 0,
      nextAttemptAt: expect.any(String),
      closedAt: null,
      note: null,
    };
    const expected = {
      id,
      clientId: client.id,
      leadId: client.lead.id,
      amount: 10.01,
      originalAmount: 10.01,
      currency: 'ARS',
      conversionExternalReference,
      eventId: conversionExternalReference,
      occurredAt: expect.any(String),
      isTest: false,
      createdAt: expect.any(String),
      deliveries: [
        { platform: 'meta', ...pending },
        { platform: 'google', ...pending },
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
    const { account, get, post } = await givenPartner();
    const em = api.database.em();
    await givenClient(em, { account, externalReference: 'C1' });
    const connections = [];
    for (const state of ['active', 'active', 'needs_attention'] as const) {
      connections.push(await givenConnection(em, { account, state }));
    }
    const [delivered, failing, refused] = connections.map(({ id }) => id);
    const id = await post('/client/conversion', { amount: 1, currency: 'USD', clientExternalReference: 'C1' });
    const closedAt = new Date('2026-11-21T12:00:00.000Z');
    const retryAt = new Date('2036-11-21T12:00:00.000Z');
    const of = (connection = 0) => ({ conversion: id, connection });
    await em.nativeUpdate(Delivery, of(delivered), { state: 'delivered', attempts: 1, closedAt });
    await em.nativeUpdate(Delivery, of(failing), { reason: 'HTTP 503', attempts: 2 });
    await em.nativeUpdate(DeliveryDue, { connectionId: failing ?? 0 }, { notBefore: retryAt });
    await em.nativeUpdate(PlatformConnection, { id: refused ?? 0 }, { stateReason: '190: expired' });
    const { body } = await get(`/client/conversion/${id}`);
    const report = { platform: 'meta', nextAttemptAt: null, closedAt: null };
    expect(body).toMatchObject({
      deliveries: [
        { ...report, state: 'delivered', reason: null, attempts: 1, closedAt: closedAt.toISOString() },
        { ...report, state: 'pending', reason: 'HTTP 503', attempts: 2, nextAttemptAt: retryAt.toISOString() },
        { ...report, state: 'pending', reason: 'the connection needs attention: 190: expired', attempts: 0 },
      ],
    });
    expect(await em.count(DeliveryAttempt, { account })).toBe(0);
  });

  it.each(['/client/1', '/client/conversion/1', '/client/conversion?externalReference=x'])(
    'answers 404 for a missing record: %s',
    async (path) => {
      const { get } = await givenPartner();
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
    const { get } = await givenPartner();
    const { status, body } = await get(path);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('finds test data only with a test key, and live data only with a live key', async () => {
    const { account, key, get, post } = await givenPartner();
    const em = api.database.em();
    const live = await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example' });
    const tested = await givenClient(em, { account, externalReference: 'C1', isTest: true });
    const testKey = await givenApiKey(em, { account, isTest: true });
    const order = { amount: 1, currency: 'USD', clientExternalReference: 'C1', conversionExternalReference: 'order-1' };
    const test = await post('/client/conversion', order, testKey);
    expect((await get('/client/conversion?externalReference=order-1')).status).toBe(404);
    const real = await post('/client/conversion', order);
    const found = async (apiKey: string) => (await get('/client/conversion?externalReference=order-1', apiKey)).body;
    expect(await found(testKey)).toMatchObject({ id: test, isTest: true });
    expect(await found(key)).toMatchObject({ id: real, isTest: false });
    expect((await get(`/client/conversion/${test}`)).status).toBe(404);
    expect((await get(`/client/conversion/${real}`, testKey)).status).toBe(404);
    expect((await get(`/client/conversion/${test}`, testKey)).body).toMatchObject({
      isTest: true,
      clientId: tested.id,
    });
    expect((await get(`/client/${live.id}`, testKey)).status).toBe(404);
    expect((await get(`/client/${tested.id}`)).status).toBe(404);
    expect((await get(`/client/${tested.id}`, testKey)).body).toMatchObject({ externalReference: 'C1' });
  });
});
