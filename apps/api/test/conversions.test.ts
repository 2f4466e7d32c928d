import { Client, Conversion, createCell } from '@leadback/db';
import { type Currency, roundedAmount, standardCurrencies } from '@leadback/domain';
import { changeAccount } from '@leadback/core/accounts/accounts';
import { givenAccount, givenClient, givenConversion, givenLead, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner, idOf, order } from './given-api.ts';

const api = await shared(givenApi());

const noCurrency = 'currency: expected a currency of ISO 4217 in capitals, such as USD';

const clientsOf = async ({ id }: { readonly id: number }) =>
  (await api.database.em().find(Client, { account: id }, { orderBy: { id: 'asc' } })).map(({ id: one }) => one);

describe('POST /client/conversion', () => {
  const platforms = ['meta', 'google'] as const;
  const byEmail = { clientExternalReference: undefined, email: 'ana@x.example' };

  describe('with the lead reference of the buyer', () => {
    const sale = { amount: 9, currency: 'USD', clientExternalReference: undefined };

    it('registers the client in the same call, by its email or its reference, once', async () => {
      const { account, convert, get } = await givenPartner(api, { platforms });
      const before = await clientsOf(account);
      const lead = await givenLead(api.database.em(), { account });
      const buyer = {
        leadReference: lead.reference,
        email: 'buyer@x.example',
        name: 'Ana',
        phoneNumber: '11 2345-6789',
      };
      const first = await convert({ ...sale, ...buyer });
      expect([first.status, first.body]).toEqual([201, { id: expect.any(Number), leadId: lead.id }]);
      expect((await convert({ ...sale, ...buyer })).status).toBe(201);
      expect((await convert({ ...sale, email: 'buyer@x.example' })).status).toBe(201);
      const named = { ...sale, ...buyer, clientExternalReference: 'customer-9', email: undefined };
      const replies = await Promise.all(Array.from({ length: 20 }, () => convert(named)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
      const [mailed, referenced, ...others] = (await clientsOf(account)).filter((id) => !before.includes(id));
      expect(others).toEqual([]);
      expect((await get(`/client/${mailed}`)).body).toMatchObject({ name: 'Ana', phoneNumber: '11 2345-6789' });
      expect((await get(`/client/${referenced}`)).body).toMatchObject({
        externalReference: 'customer-9',
        name: 'Ana',
      });
    });

    it('adds the click of a known client, which counts for the sale', async () => {
      const { account, convert } = await givenPartner(api);
      const clickParameters = { gclid: 'Cj0Ksecond' };
      const lead = await givenLead(api.database.em(), { account, clickParameters });
      const { body } = await convert({ ...sale, clientExternalReference: 'C1', leadReference: lead.reference });
      expect(body).toMatchObject({ leadId: lead.id });
    });

    it('answers 404 as POST /client does if nobody is known and the reference names no lead, and registers nothing', async () => {
      const { account, convert } = await givenPartner(api);
      const before = await clientsOf(account);
      const { leadReference: foreign } = await givenPartner(api);
      const email = 'nobody@x.example';
      for (const [leadReference, message] of [
        [
          'damaged',
          'leadReference: not a reference that we issued; pass on the value of serviceId whole and unchanged',
        ],
        [
          foreign,
          'leadReference: no lead of this account has this reference; retry if the visitor came less than 10 seconds ago',
        ],
      ]) {
        const reply = await convert({ ...sale, email, leadReference });
        expect([reply.status, reply.body]).toEqual([404, { message }]);
        expect(reply.headers.get('leadback-error')).toBe('lead-unknown');
      }
      expect((await convert({ ...sale, email })).headers.get('leadback-error')).toBe('client-unknown');
      expect(await clientsOf(account)).toEqual(before);
      expect((await convert({ ...sale, email: 'ana@x.example', leadReference: 'damaged' })).status).toBe(201);
    });

    it('is safe to repeat with an Idempotency-Key, and is a field of batches', async () => {
      const { account, convert, conversions } = await givenPartner(api);
      const [lead, other] = [
        await givenLead(api.database.em(), { account }),
        await givenLead(api.database.em(), { account }),
      ];
      const body = { ...sale, email: 'keyed@x.example', leadReference: lead.reference };
      const headers = { 'idempotency-key': unique('key') };
      const first = await convert(body, { headers });
      expect((await convert(body, { headers })).body).toEqual(first.body);
      expect((await convert({ ...body, leadReference: other.reference }, { headers })).status).toBe(422);
      const item = { ...sale, email: 'batched@x.example', leadReference: other.reference };
      const { results } = await conversions([
        { ...item, conversionExternalReference: 'o-1' },
        { ...item, conversionExternalReference: 'o-2' },
        { ...item, email: 'unknown@x.example', leadReference: 'damaged', conversionExternalReference: 'o-3' },
      ]);
      expect(results).toMatchObject([
        { outcome: 'created', leadId: other.id },
        { outcome: 'created', leadId: other.id },
        { outcome: 'refused', code: 'lead-unknown' },
      ]);
    });
  });

  it.each([
    [{ amount: 250 }, 'amount'],
    [{ currency: 'ARS' }, 'currency'],
    [{ clientExternalReference: undefined, email: 'eva@x.example' }, 'client'],
    [{ amount: 250, currency: 'ARS' }, 'amount, currency'],
  ])('answers 400 conversion-differs to a known reference with %j, and names what differs', async (other, named) => {
    const { account, convert } = await givenPartner(api);
    await givenClient(api.database.em(), { account, email: 'eva@x.example' });
    const sale = {
      amount: 100,
      currency: 'USD',
      clientExternalReference: 'C1',
      conversionExternalReference: 'order-1',
    };
    const first = idOf(await convert(sale));
    const { status, headers, body } = await convert({ ...sale, ...other });
    expect([status, headers.get('leadback-error')]).toEqual([400, 'conversion-differs']);
    expect(headers.get('leadback-conversion-id')).toBe(String(first));
    expect(body).toEqual({
      message: `${named}: not as registered with this conversionExternalReference; if it is another sale, send a reference of its own`,
    });
    expect((await convert(sale)).headers.get('leadback-error')).toBe('conversion-repeated');
  });

  it('answers 201 with the ids of the conversion and its lead, and announces a parcel per platform', async () => {
    const { client, convert } = await givenPartner(api, { platforms });
    const before = api.announced.length;
    const { status, body } = await convert();
    expect([status, body]).toEqual([201, { id: expect.any(Number), leadId: client.lead.id }]);
    const announced = api.announced.slice(before).map(({ platform, size }) => `${size} × ${platform}`);
    expect(announced.toSorted()).toEqual(['1 × google', '1 × meta']);
  });

  it.each(standardCurrencies)('registers a conversion in %s for every account', async (currency) => {
    const { sell } = await givenPartner(api);
    const stored = await api.database.em().findOneOrFail(Conversion, await sell({ currency }));
    expect(stored).toMatchObject({ amount: '10.00', currency });
  });

  it('answers 400 currency-not-allowed to a currency that the account does not take, naming those that it takes', async () => {
    const { convert, conversions, account } = await givenPartner(api);
    const { status, headers, body } = await convert({ currency: 'BRL' });
    expect([status, headers.get('leadback-error')]).toEqual([400, 'currency-not-allowed']);
    const message = 'currency: this account takes USD, ARS; ask your operator to allow another one';
    expect(body).toEqual({ message });
    const sent = await conversions([order({ currency: 'BRL' }), order({ currency: 'ARS' })]);
    expect(sent.results).toMatchObject([
      { outcome: 'refused', code: 'currency-not-allowed', message },
      { outcome: 'created' },
    ]);
    expect(await api.database.em().count(Conversion, { account, currency: 'BRL' })).toBe(0);
  });

  it('registers no buyer with a sale in a currency that the account does not take', async () => {
    const { account, convert, leadReference } = await givenPartner(api);
    const sale = { clientExternalReference: 'new', leadReference, email: 'new@x.example', amount: 1 };
    expect((await convert({ ...sale, currency: 'BRL' })).status).toBe(400);
    expect(await api.database.em().count(Client, { account, externalReference: 'new' })).toBe(0);
    expect((await convert({ ...sale, currency: 'USD' })).status).toBe(201);
    expect(await api.database.em().count(Client, { account, externalReference: 'new' })).toBe(1);
  });

  it.each<[string, object, string]>([
    ['is too old', { occurredAt: '2020-01-01T00:00:00Z' }, 'invalid-fields'],
    ['has the reference of another sale', { conversionExternalReference: 'order-1', amount: 2 }, 'conversion-differs'],
    ['has the event id of another sale', { eventId: 'event-1' }, 'conversion-repeated'],
  ])('registers no buyer with a sale that %s', async (_, fields, code) => {
    const { account, convert, leadReference } = await givenPartner(api);
    const buyer = { leadReference, clientExternalReference: 'first', amount: 1, currency: 'USD' };
    expect((await convert({ ...buyer, conversionExternalReference: 'order-1', eventId: 'event-1' })).status).toBe(201);
    const { headers } = await convert({ ...buyer, clientExternalReference: 'new', email: 'new@x.example', ...fields });
    expect(headers.get('leadback-error')).toBe(code);
    expect(await api.database.em().count(Client, { account, externalReference: 'new' })).toBe(0);
  });

  it.each<[number, Currency, string]>([
    [1000.5, 'JPY', '1001'],
    [1000.4, 'JPY', '1000'],
    [1.2345, 'KWD', '1.235'],
    [1.005, 'BRL', '1.01'],
    [25_000, 'CLP', '25000'],
    [1e-7, 'KWD', '0.000'],
    [9_999_999_999.99, 'USD', '9999999999.99'],
  ])('stores %d %s as %s, half up to the minor unit, and so its adjustments', async (amount, currency, stored) => {
    const em = api.database.em();
    const account = await givenAccount(em, { currencies: ['USD', 'BRL', 'JPY', 'KWD', 'CLP'] });
    const { sell, post, conversion, convert } = await givenPartner(api, { account });
    const id = await sell({ amount, currency, conversionExternalReference: 'order-1' });
    expect(await em.findOneOrFail(Conversion, id)).toMatchObject({ amount: stored, currency });
    // as it was sent, and as it was stored, are the same sale
    for (const same of [amount, Number(stored)]) {
      const again = await convert({ amount: same, currency, conversionExternalReference: 'order-1' });
      expect(again.headers.get('leadback-error')).toBe('conversion-repeated');
    }
    await post('/client/conversion/adjustment', { conversionId: id, kind: 'restate', amount: amount / 2 });
    expect(await conversion(id)).toMatchObject({
      originalAmount: Number(stored),
      amount: Number(roundedAmount(String(amount / 2), currency)),
      currency,
    });
  });

  it('keeps and adjusts sales in a currency that the account does not take any more', async () => {
    const em = api.database.em();
    const account = await givenAccount(em, { currencies: ['BRL'] });
    const { sell, post, convert, conversion } = await givenPartner(api, { account });
    const id = await sell({ amount: 80, currency: 'BRL', conversionExternalReference: 'order-1' });
    await changeAccount(em.fork(), { id: account.id, currencies: ['ARS'], actor: 'test' });
    expect((await convert({ currency: 'BRL' })).headers.get('leadback-error')).toBe('currency-not-allowed');
    const restated = { conversionId: id, kind: 'restate', amount: 60.5, currency: 'BRL' };
    expect((await post('/client/conversion/adjustment', restated)).status).toBe(201);
    expect(await conversion(id)).toMatchObject({ amount: 60.5, originalAmount: 80, currency: 'BRL' });
  });

  it('finds the client by email regardless of case, spaces and Unicode composition', async () => {
    const { account, convert } = await givenPartner(api);
    await givenClient(api.database.em(), { account, email: 'josé@x.example' });
    expect((await convert({ ...byEmail, email: 'josé@x.example'.normalize('NFD') })).status).toBe(201);
    expect((await convert({ ...byEmail, email: '  ANA@X.Example ' })).status).toBe(201);
    expect((await convert({ ...byEmail, clientExternalReference: 'nobody' })).status).toBe(201);
  });

  it('finds the client by reference first, then by email, and takes the newest of several clients', async () => {
    const { account, client, convert } = await givenPartner(api);
    const other = await givenClient(api.database.em(), { account, email: 'ana@x.example', externalReference: 'C2' });
    const leadOf = async (names: object) => (await convert({ ...byEmail, ...names })).body;
    expect(await leadOf({ clientExternalReference: 'C1', email: 'ana@x.example' })).toMatchObject({
      leadId: client.lead.id,
    });
    expect(await leadOf({ clientExternalReference: 'nobody', email: 'ana@x.example' })).toMatchObject({
      leadId: other.lead.id,
    });
    expect(await leadOf({ email: 'ana@x.example' })).toMatchObject({ leadId: other.lead.id });
  });

  it('announces no parcel for an account without connections', async () => {
    const { convert } = await givenPartner(api);
    const before = api.announced.length;
    expect((await convert()).status).toBe(201);
    expect(api.announced.length).toBe(before);
  });

  it('marks conversions of test keys, and accepts the same order from a live key', async () => {
    const { account, convert } = await givenPartner(api);
    const test = await givenPartner(api, { account, isTest: true });
    const one = order();
    for (const register of [test.convert, convert]) {
      expect([(await register(one)).status, (await register(one)).status]).toEqual([201, 400]);
    }
    const conversions = await api.database.em().find(Conversion, { account }, { orderBy: { id: 'asc' } });
    expect(conversions.map(({ isTest }) => isTest)).toEqual([true, false]);
  });

  it('answers 404 if no client of the account matches', async () => {
    const { convert } = await givenPartner(api);
    await givenClient(api.database.em(), { externalReference: 'foreign' });
    const { status, body } = await convert({ clientExternalReference: 'foreign' });
    expect([status, body]).toEqual([404, { message: 'no client matches clientExternalReference or email' }]);
  });

  it('answers 400 to a repeated reference, even concurrently, and announces no parcel for it', async () => {
    const { convert } = await givenPartner(api, { platforms });
    const before = api.announced.length;
    const input = order(byEmail);
    const replies = await Promise.all(Array.from({ length: 1000 }, () => convert(input)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(999);
    const { status, body } = await convert(input);
    expect([status, body]).toEqual([
      400,
      { message: 'conversionExternalReference: a conversion with this reference already exists' },
    ]);
    expect(api.announced.length - before).toBe(2);
  });

  it.each([
    [{ amount: '10' }, 'amount: expected a number, without quotes: 149.9'],
    [{ amount: null }, 'amount: expected a number'],
    [{ amount: -1 }, 'amount: must not be negative'],
    [{ amount: 1e10 }, 'amount: must not be larger than 9999999999.99'],
    [{ currency: 'usd' }, noCurrency],
    [{ currency: 'XXX' }, noCurrency],
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
    const { convert } = await givenPartner(api);
    const { status, body } = await convert({ ...byEmail, ...change });
    expect([status, body]).toEqual([400, { message }]);
  });

  it('reports all invalid fields together', async () => {
    const { convert } = await givenPartner(api);
    const { body } = await convert({
      amount: '1',
      currency: 'peso',
      email: 'a',
      clientExternalReference: null,
      conversionExternalReference: unique('o').repeat(20),
    });
    expect(body).toEqual({
      message: `amount: expected a number, without quotes: 149.9; ${noCurrency}; conversionExternalReference: longer than 255 characters; email: expected an email address: one @, text on both sides, no spaces`,
    });
  });

  it.each([[], null, 'text', 7])('answers 400 to the conversion body %j', async (input) => {
    const { post } = await givenPartner(api);
    const { status, body } = await post('/client/conversion', JSON.stringify(input));
    expect([status, body]).toEqual([400, { message: 'body: expected a JSON object' }]);
  });
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A partner that registers conversions and reads their event ids. */
const given = async () => {
  const live = await givenPartner(api);
  const test = await givenPartner(api, { account: live.account, isTest: true });
  const eventIdOf = async (sent: object, { sell, conversion } = live) =>
    z.object({ eventId: z.string() }).parse(await conversion(await sell(sent))).eventId;
  return { ...live, test, eventIdOf };
};

describe('the event id of a conversion', () => {
  it("uses the partner's eventId, otherwise the conversionExternalReference, otherwise a UUID as event id", async () => {
    const { eventIdOf } = await given();
    expect(await eventIdOf({ eventId: ' pixel-1 ', conversionExternalReference: 'order-1' })).toBe('pixel-1');
    expect(await eventIdOf({ conversionExternalReference: 'order-2' })).toBe('order-2');
    expect(await eventIdOf({ eventId: null })).toMatch(uuid);
  });

  it('answers 400 to an event id in use, with the id of the conversion in Leadback-Conversion-Id', async () => {
    const { convert } = await given();
    const first = idOf(await convert({ eventId: 'sale-1', conversionExternalReference: 'order-1' }));
    const { status, headers, body } = await convert({ eventId: 'sale-1', conversionExternalReference: 'order-2' });
    expect([status, body]).toEqual([
      400,
      { message: 'eventId: another conversion has this event id; use a different id for each sale' },
    ]);
    expect(headers.get('leadback-error')).toBe('conversion-repeated');
    expect(headers.get('leadback-conversion-id')).toBe(String(first));
    expect(headers.get('leadback-repeated-field')).toBe('eventId');
  });

  it('registers a sale with a UUID as event id if its reference is the event id of another conversion', async () => {
    const { eventIdOf } = await given();
    await eventIdOf({ eventId: 'order-2', conversionExternalReference: 'order-1' });
    expect(await eventIdOf({ conversionExternalReference: 'order-2' })).toMatch(uuid);
  });

  it('accepts an event id that another account uses', async () => {
    const [one, other] = [await given(), await given()];
    expect(await one.eventIdOf({ eventId: 'sale-1' })).toBe('sale-1');
    expect(await other.eventIdOf({ eventId: 'sale-1' })).toBe('sale-1');
  });

  it('never gives a test and a live conversion the same event id', async () => {
    const { test, eventIdOf } = await given();
    const one = { conversionExternalReference: 'order-1' };
    const ids = [
      await eventIdOf(one, test),
      await eventIdOf(one),
      await eventIdOf({ eventId: 'sale-1' }, test),
      await eventIdOf({ eventId: 'sale-1' }),
      await eventIdOf({}, test),
      await eventIdOf({ conversionExternalReference: 'test:order-1' }),
    ];
    expect(ids.slice(0, 4)).toEqual(['test:order-1', 'order-1', 'test:sale-1', 'sale-1']);
    expect(ids[4]).toMatch(/^test:[0-9a-f-]{36}$/);
    expect(ids[5]).toMatch(uuid);
  });

  it('registers each event id once if it arrives many times concurrently, in both fields', async () => {
    const { account, convert } = await given();
    const ids = Array.from({ length: 20 }, (_, index) => `sale-${index}`);
    const replies = await Promise.all(
      ids.flatMap((id) => [
        ...Array.from({ length: 5 }, () => convert({ eventId: id })),
        convert({ conversionExternalReference: id }),
      ]),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 400]));
    const stored = await api.database.em().find(Conversion, { account });
    // each reference is registered; each explicit id once, unless a reference used it first
    for (const id of ids) {
      expect(stored.filter(({ externalReference }) => externalReference === id)).toHaveLength(1);
      expect(stored.filter(({ eventId }) => eventId === id)).toHaveLength(1);
    }
  });

  it.each([
    ['a b', 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    ['ñ', 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    ['x'.repeat(65), 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    [7, 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    ['test:1', 'eventId: must not begin with "test:", which marks tests'],
  ])('answers 400 with the format to the event id %j', async (eventId, message) => {
    const { convert } = await given();
    const { status, headers, body } = await convert({ eventId });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'invalid-fields', { message }]);
  });

  it('ignores the event id of a repeated conversionExternalReference and returns the first conversion with 400', async () => {
    const { convert } = await given();
    const one = order();
    const first = idOf(await convert({ ...one, eventId: 'a' }));
    const again = await convert({ ...one, eventId: 'b' });
    expect([again.status, again.headers.get('leadback-conversion-id')]).toEqual([400, String(first)]);
    expect(again.headers.get('leadback-repeated-field')).toBe('conversionExternalReference');
    expect(again.body).toEqual({
      message: 'conversionExternalReference: a conversion with this reference already exists',
    });
  });
});

const nameFormat = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ - and blanks';

describe("the partner's name for an event", () => {
  it('is stored with the conversion and read back', async () => {
    const { sell, conversion } = await givenPartner(api);
    expect(await conversion(await sell({ eventName: ' Trial started_v1.2 ' }))).toMatchObject({
      eventName: 'Trial started_v1.2',
    });
  });

  it.each([undefined, null, '', '  '])('is not in the response if %j was sent', async (eventName) => {
    const { sell, conversion } = await givenPartner(api);
    expect(await conversion(await sell({ eventName }))).not.toHaveProperty('eventName');
  });

  it.each(['ñ', 'a/b', 'x'.repeat(65), 7])('is refused with its format if it is %j', async (eventName) => {
    const { convert } = await givenPartner(api);
    const { status, headers, body } = await convert({ eventName });
    expect([status, headers.get('leadback-error'), body]).toEqual([
      400,
      'invalid-fields',
      { message: `eventName: ${nameFormat}` },
    ]);
  });

  it('is a field of the items of batches', async () => {
    const { conversions, conversion } = await givenPartner(api);
    const {
      results: [first, second],
    } = await conversions([order({ eventName: 'trial' }), order({ eventName: '?' })]);
    expect(await conversion(first?.id ?? 0)).toMatchObject({ eventName: 'trial' });
    expect(second).toMatchObject({ outcome: 'refused', message: `eventName: ${nameFormat}` });
  });
});

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const timesSchema = z.object({ occurredAt: z.string(), createdAt: z.string() });
const format = 'occurredAt: expected a time with its offset from UTC (RFC 3339), such as 2026-11-21T09:30:00-03:00';
const range =
  'occurredAt: expected a time at most 5 minutes ahead and at most 400 days ago, such as 2026-11-21T09:30:00-03:00';

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('the time at which a conversion occurred', () => {
  it('stores occurredAt in UTC, and the time of registration by default', async () => {
    const { sell, conversion } = await givenPartner(api);
    const read = async (occurredAt: unknown) => timesSchema.parse(await conversion(await sell({ occurredAt })));
    const twoDaysAgo = fromNow(-2 * dayMs);
    const inBuenosAires = `${new Date(Date.parse(twoDaysAgo) - 180 * minuteMs).toISOString().slice(0, -1)}-03:00`;
    expect((await read(inBuenosAires)).occurredAt).toBe(twoDaysAgo);
    for (const nothing of [undefined, null, '', ' ']) {
      const now = await read(nothing);
      expect(now.occurredAt).toBe(now.createdAt);
    }
  });

  it.each([
    ['4 minutes ahead', 4 * minuteMs],
    ['399 days ago', -399 * dayMs],
  ])('accepts an occurredAt %s', async (_, ms) => {
    const { convert } = await givenPartner(api);
    expect((await convert({ occurredAt: fromNow(ms) })).status).toBe(201);
  });

  it.each([
    ['6 minutes ahead', 6 * minuteMs],
    ['401 days ago', -401 * dayMs],
  ])("refuses an occurredAt %s by the database's clock, and registers nothing", async (_, ms) => {
    const { account, convert } = await givenPartner(api);
    const { status, headers, body } = await convert({ occurredAt: fromNow(ms) });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'invalid-fields', { message: range }]);
    const { rows } = await api.database.pool.query('select 1 from conversion where account_id = $1', [account.id]);
    expect(rows).toEqual([]);
  });

  it.each([
    ['2026-11-21T09:30:00', format],
    ['2026-11-21', format],
    ['yesterday', format],
    ['2026-13-21T09:30:00Z', format],
    [1_795_000_000, format],
    ['0000-01-01T00:00:00Z', range],
    ['9999-12-31T23:59:59-12:00', range],
  ])('answers 400 with the format or range to the occurredAt %j', async (occurredAt, message) => {
    const { convert } = await givenPartner(api);
    const { status, headers, body } = await convert({ occurredAt });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'invalid-fields', { message }]);
  });

  it('registers a conversion that occurred before the click', async () => {
    const { client, convert } = await givenPartner(api);
    const lead = await client.lead.loadOrFail();
    const before = new Date(lead.createdAt.getTime() - dayMs).toISOString();
    expect((await convert({ occurredAt: before })).status).toBe(201);
  });

  it('does not use up an Idempotency-Key if occurredAt is out of range', async () => {
    const { convert } = await givenPartner(api);
    const headers = { 'idempotency-key': 'once' };
    expect((await convert({ occurredAt: fromNow(6 * minuteMs) }, { headers })).status).toBe(400);
    expect((await convert({ occurredAt: fromNow(-minuteMs) }, { headers })).status).toBe(201);
  });
});

const pageSchema = z.object({ items: z.array(z.object({ id: z.number() })), next: z.string().nullable() });

describe('the api of the cell with the largest ids', async () => {
  const cell = await shared(givenApi());
  await createCell(cell.database.ownerUrl, 8_999);

  it('registers a conversion with an id that JSON keeps, and reads it by that id', async () => {
    const { sell, conversion } = await givenPartner(cell, { platforms: ['meta'] });
    const id = await sell(order());
    expect(id).toBeGreaterThan(8_999_000_000_000_000);
    expect(await conversion(id)).toMatchObject({ id });
  });

  it('registers an order whose number is the id of a conversion without event id', async () => {
    const { account, convert } = await givenPartner(cell);
    const older = await givenConversion(cell.database.em(), { account });
    expect((await convert({ conversionExternalReference: String(older.id) })).status).toBe(201);
  });

  it('lists conversions page by page', async () => {
    const { account, get } = await givenPartner(cell);
    const ids: number[] = [];
    for (let sale = 0; sale < 3; sale += 1) ids.unshift((await givenConversion(cell.database.em(), { account })).id);
    const listed: number[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = new URLSearchParams({ limit: '1', after });
      const { body } = await get(`/client/conversions?${query.toString()}`);
      const { items, next } = pageSchema.parse(body);
      listed.push(...items.map(({ id }) => id));
      after = next;
    }
    expect(listed).toEqual(ids);
  });
});
