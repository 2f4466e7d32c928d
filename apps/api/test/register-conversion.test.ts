import { Conversion } from '@leadback/db';
import { currencies } from '@leadback/domain';
import { givenAccount, givenApiKey, givenClient, givenConnection, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

describe('POST /client/conversion', async () => {
  const api = await shared(givenApi());

  /** A partner with a client and two connections. */
  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const client = await givenClient(em, { account, email: 'ana@x.example', externalReference: 'C1' });
    await givenConnection(em, { account });
    await givenConnection(em, { account, platform: 'google' });
    const key = await givenApiKey(em, { account });
    const post = (body: unknown) => api.send('POST', '/api/v1/client/conversion', { key, body });
    return { client, post };
  };
  const ten = { amount: 10, currency: 'USD' };

  it('answers 201 with the ids of the conversion and its lead, and announces a parcel per platform', async () => {
    const { client, post } = await givenPartner();
    const before = api.announced.length;
    const { status, body } = await post({ ...ten, clientExternalReference: 'C1' });
    expect([status, body]).toEqual([201, { id: expect.any(Number), leadId: client.lead.id }]);
    const announced = api.announced.slice(before).map(({ platform, size }) => `${size} × ${platform}`);
    expect(announced.toSorted()).toEqual(['1 × google', '1 × meta']);
  });

  it.each(currencies)('registers a conversion in %s', async (currency) => {
    const { post } = await givenPartner();
    const { status, body } = await post({ amount: 10, currency, clientExternalReference: 'C1' });
    expect(status).toBe(201);
    const [stored] = await api.database.em().find(Conversion, { id: Number(Object(body).id) });
    expect(stored).toMatchObject({ amount: '10.00', currency });
  });

  it('finds the client by email regardless of case and spaces', async () => {
    const { post } = await givenPartner();
    expect((await post({ ...ten, email: '  ANA@X.Example ' })).status).toBe(201);
    expect((await post({ ...ten, clientExternalReference: 'nobody', email: 'ana@x.example' })).status).toBe(201);
  });

  it('finds the client by reference first, then by email, and takes the newest of several clients', async () => {
    const { client, post } = await givenPartner();
    const em = api.database.em();
    const account = await client.account.loadOrFail();
    const other = await givenClient(em, { account, email: 'ana@x.example', externalReference: 'C2' });
    const leadOf = async (names: object) => (await post({ ...ten, ...names })).body;
    expect(await leadOf({ clientExternalReference: 'C1', email: 'ana@x.example' })).toMatchObject({
      leadId: client.lead.id,
    });
    expect(await leadOf({ clientExternalReference: 'nobody', email: 'ana@x.example' })).toMatchObject({
      leadId: other.lead.id,
    });
    expect(await leadOf({ email: 'ana@x.example' })).toMatchObject({ leadId: other.lead.id });
  });

  it('announces no parcel for an account without connections', async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const before = api.announced.length;
    const key = await givenApiKey(em, { account });
    const body = { ...ten, clientExternalReference: 'C1' };
    expect((await api.send('POST', '/api/v1/client/conversion', { key, body })).status).toBe(201);
    expect(api.announced.length).toBe(before);
  });

  it('marks conversions of test keys, and accepts the same order from a live key', async () => {
    const { client, post } = await givenPartner();
    const em = api.database.em();
    const account = await client.account.loadOrFail();
    const testKey = await givenApiKey(em, { account, isTest: true });
    await givenClient(em, { account, externalReference: 'C1', isTest: true });
    const body = { ...ten, clientExternalReference: 'C1', conversionExternalReference: unique('order') };
    const asTest = () => api.send('POST', '/api/v1/client/conversion', { key: testKey, body });
    expect([(await asTest()).status, (await asTest()).status]).toEqual([201, 400]);
    expect([(await post(body)).status, (await post(body)).status]).toEqual([201, 400]);
    const conversions = await api.database.em().find(Conversion, { account }, { orderBy: { id: 'asc' } });
    expect(conversions.map(({ isTest }) => isTest)).toEqual([true, false]);
  });

  it('answers 404 if no client of the account matches', async () => {
    const { post } = await givenPartner();
    const foreign = await givenPartner();
    expect(foreign.client.id).toBeGreaterThan(0);
    const { status, body } = await post({ ...ten, clientExternalReference: unique('nobody') });
    expect([status, body]).toEqual([404, { message: 'no client matches clientExternalReference or email' }]);
  });

  it('answers 400 to a repeated reference, even concurrently, and announces no parcel for it', async () => {
    const { post } = await givenPartner();
    const before = api.announced.length;
    const input = { ...ten, email: 'ana@x.example', conversionExternalReference: unique('order') };
    const replies = await Promise.all(Array.from({ length: 1000 }, () => post(input)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(999);
    const { status, body } = await post(input);
    expect([status, body]).toEqual([
      400,
      { message: 'conversionExternalReference: a conversion with this reference already exists' },
    ]);
    expect(api.announced.length - before).toBe(2);
  });

  it.each([
    [{ amount: '10' }, 'amount: expected a number'],
    [{ amount: null }, 'amount: expected a number'],
    [{ amount: -1 }, 'amount: must not be negative'],
    [{ amount: 1e10 }, 'amount: must not be larger than 9999999999.99'],
    [{ currency: 'usd' }, `currency: expected ${currencies.join(' or ')}`],
    [
      { email: null, clientExternalReference: ' ' },
      'email: email or clientExternalReference is needed to find the client',
    ],
    [
      { amount: 'x', email: '' },
      'amount: expected a number; email: email or clientExternalReference is needed to find the client',
    ],
    [{ email: 'ana' }, 'email: expected an email address: one @, text on both sides, no spaces'],
  ])('answers 400 to the conversion %j and names the field', async (change, message) => {
    const { post } = await givenPartner();
    const { status, body } = await post({ ...ten, email: 'ana@x.example', ...change });
    expect([status, body]).toEqual([400, { message }]);
  });

  it.each([[], null, 'text', 7])('answers 400 to the conversion body %j', async (input) => {
    const { post } = await givenPartner();
    const { status, body } = await post(JSON.stringify(input));
    expect([status, body]).toEqual([400, { message: 'body: expected a JSON object' }]);
  });
});
