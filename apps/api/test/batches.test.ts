import { Client, Conversion } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { everyRow, givenClient, givenLead, secretsKeys, shared, unique } from '@leadback/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Reply, givenApi, givenPartner, order, outcomesOf } from './given-api.ts';

const api = await shared(givenApi());

/** A refused item; `message` may be a matcher. */
const refused = (code: string, message: unknown) => ({ outcome: 'refused', code, message });

const named = (clientExternalReference?: string, email?: string) => ({ clientExternalReference, email });
const many = (count: number) => Array.from({ length: count }, () => order());

const stored = (account: { id: number }) =>
  api.database.em().find(Conversion, { account: account.id }, { orderBy: { id: 'asc' } });

describe('POST /client/conversion/batch', () => {
  it('answers 200 with one outcome per item in order, and the items that are fine are registered', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const first = order({ amount: 0.005 });
    const {
      results: [known],
    } = await partner.conversions([first]);
    const before = api.announced.length;
    const reply = await partner.conversions([
      first,
      { ...first, amount: 0.01 },
      { ...first, amount: 0.02, currency: 'ARS' },
      order({ amount: '1', currency: 'usd' }),
      order({ conversionExternalReference: undefined }),
      order({ clientExternalReference: 'nobody' }),
      order({ occurredAt: '2020-01-01T00:00:00Z' }),
      order({ eventId: first.conversionExternalReference }),
      null,
      order(),
    ]);
    const same = { id: known?.id, leadId: partner.client.lead.id };
    expect(reply).toEqual({
      results: [
        { outcome: 'repeated', ...same },
        { outcome: 'repeated', ...same },
        {
          outcome: 'differs',
          ...same,
          message: 'amount, currency: not as registered with this conversionExternalReference',
        },
        refused(
          'invalid-fields',
          'amount: expected a number, without quotes: 149.9; currency: expected a currency of ISO 4217 in capitals, such as USD',
        ),
        refused('invalid-fields', 'conversionExternalReference: expected a string'),
        refused('client-unknown', 'no client matches clientExternalReference or email'),
        refused('invalid-fields', expect.stringMatching(/^occurredAt: /)),
        refused('conversion-repeated', expect.stringMatching(/^eventId: /)),
        refused('invalid-fields', 'item: expected a JSON object'),
        { outcome: 'created', id: expect.any(Number), leadId: partner.client.lead.id },
      ].map((result, index) => ({ index, ...result })),
      counts: { created: 1, repeated: 2, differs: 1, refused: 6 },
      dryRun: false,
    });
    expect(await stored(partner.account)).toHaveLength(2);
    expect(api.announced.slice(before)).toMatchObject([{ size: 1 }]);
  });

  it('says whether the client differs, however the client is named', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const em = api.database.em();
    const { account } = partner;
    const byReference = order({ email: 'ana@x.example' });
    const byEmail = order({ clientExternalReference: undefined, email: 'ana@x.example' });
    await partner.conversions([byReference, byEmail]);
    await givenClient(em, { account, externalReference: 'C2', email: 'eva@x.example' });
    await givenClient(em, { account, externalReference: 'C3', email: 'ana@x.example' });
    const reply = await partner.conversions([
      { ...byReference, ...named('C2', 'ana@x.example') },
      { ...byReference, ...named('nobody', 'ana@x.example') },
      { ...byReference, ...named(undefined, 'eva@x.example') },
      byEmail,
      { ...byEmail, ...named('C1') },
    ]);
    expect(outcomesOf(reply)).toEqual(['differs', 'repeated', 'differs', 'repeated', 'repeated']);
    expect(reply.results[0]?.message).toBe('client: not as registered with this conversionExternalReference');
  });

  it('registers the first of several items with one reference or event id, wherever they stand', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const [reference, eventId] = [unique('z-order'), unique('event')];
    const items = many(450);
    items[5] = order({ conversionExternalReference: reference, eventId: 'z', clientExternalReference: 'nobody' });
    items[7] = order({ conversionExternalReference: reference, eventId: 'y' });
    items[8] = order({ conversionExternalReference: reference, eventId: 'a', amount: 11 });
    items[440] = order({ conversionExternalReference: reference });
    items[20] = order({ conversionExternalReference: unique('z-order'), eventId });
    items[21] = order({ conversionExternalReference: unique('a-order'), eventId });
    const { results, counts } = await partner.conversions(items);
    const places = [5, 7, 8, 440, 20, 21];
    const first = results[7]?.id;
    expect(places.map((place) => results[place])).toMatchObject([
      { outcome: 'refused' },
      { outcome: 'created' },
      { outcome: 'differs', id: first },
      { outcome: 'repeated', id: first },
      { outcome: 'created' },
      { outcome: 'refused', code: 'conversion-repeated' },
    ]);
    expect(counts).toEqual({ created: 446, repeated: 1, differs: 1, refused: 2 });
    expect(results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  });

  it('never registers a reference twice in concurrent batches, whatever their order', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const items = many(250);
    const batches = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => partner.conversions(turn % 2 ? items : items.toReversed())),
    );
    const single = await partner.convert(items[0]);
    const outcomes = batches.flatMap(outcomesOf);
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(250);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(1_750);
    expect(single.headers.get('leadback-error')).toBe('conversion-repeated');
    const references = (await stored(partner.account)).map(({ externalReference }) => externalReference);
    expect(references).toHaveLength(250);
    expect(new Set(references)).toEqual(new Set(items.map((one) => one.conversionExternalReference)));
  });

  it('keeps test and live conversions apart', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { account } = partner;
    const { key } = await givenPartner(api, { account, isTest: true });
    const items = [order()];
    expect(outcomesOf(await partner.conversions(items))).toEqual(['created']);
    const asTest = () => partner.conversions(items, { key });
    expect([await asTest(), await asTest()]).toMatchObject([{ counts: { created: 1 } }, { counts: { repeated: 1 } }]);
    expect((await stored(account)).map(({ isTest }) => isTest)).toEqual([false, true]);
  });

  it.each([
    [undefined, 'items: expected a list of 1 to 500 items'],
    [{}, 'items: expected a list of 1 to 500 items'],
    [[], 'items: expected a list of 1 to 500 items'],
    [many(501), 'items: expected a list of 1 to 500 items'],
  ])('answers 400 to an envelope that is wrong', async (items, message) => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { status, body } = await partner.post('/client/conversion/batch', { items });
    expect([status, body]).toEqual([400, { message }]);
    const { body: toQuery } = await partner.post('/client/conversion/batch?dryRun=yes', { items: [order()] });
    expect(toQuery).toEqual({ message: 'dryRun: expected true or false' });
    expect(await stored(partner.account)).toEqual([]);
  });
});

const genuine = () => issueLeadReference(leadReferenceKeys(secretsKeys));

const countOf = (account: { id: number }) => api.database.em().count(Client, { account: account.id });

describe('POST /client/batch', () => {
  afterEach(() => api.database.pool.query('delete from landing_instance'));

  it('answers 200 with one outcome per item in order, and the items that are fine are registered', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { client, leadReference } = partner;
    const { reference: foreign } = await givenLead(api.database.em());
    const unknown = expect.stringMatching(/^leadReference: no lead .* less than 10 seconds ago$/);
    const reply = await partner.clients([
      { leadReference, externalReference: 'C1' },
      { leadReference, externalReference: 'C2', name: 'Ana', email: 'ANA@x.example' },
      { leadReference: 'damaged', externalReference: 'C2' },
      { leadReference },
      { leadReference: 'damaged' },
      { leadReference: genuine() },
      { leadReference: foreign },
      { leadReference, name: 7, email: 8 },
      [],
    ]);
    const created = { outcome: 'created', id: expect.any(Number) };
    expect(reply.results).toEqual(
      [
        { outcome: 'existing', id: client.id },
        created,
        {
          outcome: 'existing',
          id: reply.results[1]?.id,
          warnings: [{ code: 'lead-ignored', field: 'leadReference' }],
        },
        created,
        refused('lead-unknown', expect.stringMatching(/^leadReference: not a reference that we issued/)),
        refused('lead-unknown', unknown),
        refused('lead-unknown', unknown),
        refused('invalid-fields', 'name: expected a string; email: expected a string'),
        refused('invalid-fields', 'item: expected a JSON object'),
      ].map((result, index) => ({ index, ...result })),
    );
    expect(reply.counts).toEqual({ created: 2, existing: 2, refused: 5 });
    expect(await countOf(partner.account)).toBe(3);
  });

  it('refuses a lead that may still be buffered, without waiting for it', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    await api.database.pool.query(`insert into landing_instance (id, seen_at, is_behind) values ('a', now(), true)`);
    const { results } = await partner.clients([{ leadReference: genuine() }, { leadReference: partner.leadReference }]);
    expect(results).toMatchObject([
      { code: 'lead-pending', message: 'leadReference: lead not available yet; retry after some seconds' },
      { outcome: 'created' },
    ]);
  });

  it('refuses a genuine reference without a lead at once, while a call for one client waits for the lead', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const items = [{ leadReference: genuine() }];
    let ms = Number.POSITIVE_INFINITY;
    // the call for one client takes three seconds each time, a batch on a busy machine only now and then
    for (let tries = 0; tries < 20 && ms >= 2_500; tries += 1) {
      const start = performance.now();
      expect(outcomesOf(await partner.clients(items))).toEqual(['refused']);
      ms = performance.now() - start;
    }
    expect(ms).toBeLessThan(2_500);
  });

  it('never registers a reference twice in concurrent batches', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { leadReference } = partner;
    const items = Array.from({ length: 250 }, () => ({ leadReference, externalReference: unique('client') }));
    const batches = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => partner.clients(turn % 2 ? items : items.toReversed())),
    );
    const outcomes = batches.flatMap(outcomesOf);
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(250);
    expect(outcomes.filter((outcome) => outcome === 'existing')).toHaveLength(1_750);
    expect(await countOf(partner.account)).toBe(251);
  });

  it('registers clients without a reference once per Idempotency-Key, and refused items when they are sent again', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { leadReference } = partner;
    const lead = genuine();
    const items = [...Array.from({ length: 150 }, () => ({ leadReference })), { leadReference: lead }];
    const headers = { 'idempotency-key': unique('key') };
    const first = await partner.clients(items, { headers });
    await givenLead(api.database.em(), { account: partner.account, reference: lead });
    const again = await partner.clients(items, { headers });
    expect(again.results.slice(0, 150)).toEqual(first.results.slice(0, 150));
    expect([first.results[150]?.outcome, again.results[150]?.outcome]).toEqual(['refused', 'created']);
    expect(await countOf(partner.account)).toBe(152);

    const changed = await partner.clients([{ leadReference, name: 'Eva' }], { headers });
    expect(changed.results).toMatchObject([{ outcome: 'refused', code: 'idempotency-key-reused' }]);
    expect(outcomesOf(await partner.clients([{ leadReference }]))).toEqual(['created']);
  });
});

/** `r` and `t` of the header `RateLimit`. */
const quotaOf = ({ headers }: Reply) => {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { left: Number(left), seconds: Number(seconds) };
};

const send = ({ post }: Awaited<ReturnType<typeof givenPartner>>, count: number, query = '') =>
  post(`/client/conversion/batch${query}`, { items: many(count) });

describe('the rate of batches', () => {
  it.each(['', '?dryRun=true'])('takes a token for each item (%s)', async (query) => {
    const partner = await givenPartner(api, { platforms: ['meta'], rateLimit: 1_000 });
    const { left, seconds } = quotaOf(await send(partner, 500, query));
    // the token of the request itself may be back already when the others are taken
    expect(left).toBeOneOf([1_500, 1_501]);
    expect(seconds).toBe(1);
  });

  it('lets a batch overdraw the bucket, and refuses the next requests until the debt is paid', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'], rateLimit: 1 });
    const reply = await send(partner, 120);
    expect([reply.status, quotaOf(reply)]).toEqual([200, { left: 0, seconds: 120 }]);
    for (const next of [await send(partner, 1), await partner.convert()]) {
      expect([next.status, next.headers.get('leadback-error')]).toEqual([429, 'rate-limited']);
      const seconds = Number(next.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(60);
      expect(seconds).toBeLessThanOrEqual(119);
      expect(next.body).toEqual({
        message: `more than 1 requests a second with this key; try again in ${seconds} s`,
      });
    }
    expect(await api.database.em().count(Conversion, { account: partner.account.id })).toBe(120);
  });

  it('lets only one of several concurrent batches overdraw the bucket', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'], rateLimit: 5 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(partner, 300)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(9);
  });
});

it('counts the clients and conversions that live batches created, and no others', async () => {
  await using counting = await givenApi();
  const live = await givenPartner(counting, { platforms: ['meta'] });
  const orders = [order(), order(), order({ currency: 'ARS' }), order({ amount: -1 })];
  const { leadReference } = live;
  const clients = [{ leadReference }, { leadReference, externalReference: 'C1' }, { leadReference: 'damaged' }];
  await live.conversions(orders, { query: '?dryRun=true' });
  await live.clients(clients, { query: '?dryRun=true' });
  await live.conversions(orders);
  await live.conversions(orders);
  const headers = { 'idempotency-key': 'key' };
  await live.clients(clients, { headers });
  await live.clients(clients, { headers });
  const test = await givenPartner(counting, { platforms: ['meta'], isTest: true });
  await test.conversions(orders);
  await test.clients([{ leadReference: test.leadReference }]);

  const text = await counting.metrics();
  expect(text).toMatch(/leadback_conversions_total\{[^}]*currency="USD"[^}]*\} 2\n/);
  expect(text).toMatch(/leadback_conversions_total\{[^}]*currency="ARS"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_clients_total\{[^}]*outcome="created"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_clients_total\{[^}]*outcome="known"[^}]*\} 1\n/);
});

/** Every row of every table except those that the API changes by itself. */
const allRows = async () => {
  const all = new Map(await everyRow(api.database));
  all.delete('api_key');
  expect(all.size).toBeGreaterThan(10);
  return all;
};

describe('a dry run', () => {
  it('finds the outcomes of conversions and changes no table', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const known = order();
    await partner.conversions([known]);
    const before = await allRows();
    const announced = api.announced.length;
    const fresh = Array.from({ length: 200 }, () => order());
    const items = [known, { ...known, amount: 11 }, ...fresh, fresh[0], order({ amount: -1 })];
    const dry = await partner.conversions(items, { query: '?dryRun=true' });
    expect(await allRows()).toEqual(before);
    expect(api.announced.length).toBe(announced);
    expect(dry.dryRun).toBe(true);
    expect(dry.counts).toEqual({ created: 200, repeated: 2, differs: 1, refused: 1 });
    expect(dry.results[2]).toEqual({ index: 2, outcome: 'created', leadId: partner.client.lead.id });
    expect(dry.results[202]).toEqual({ index: 202, outcome: 'repeated', leadId: partner.client.lead.id });

    const run = await partner.conversions(items, { query: '?dryRun=false' });
    expect(outcomesOf(run)).toEqual(outcomesOf(dry));
    expect(run.results[0]?.id).toBe(dry.results[0]?.id);
  });

  it('finds the outcomes of clients and changes no table, with or without an Idempotency-Key', async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { leadReference } = partner;
    const items = [{ leadReference, externalReference: 'C1' }, { leadReference }, { leadReference: 'damaged' }];
    const headers = { 'idempotency-key': unique('key') };
    const before = await allRows();
    const dry = await partner.clients(items, { query: '?dryRun=true', headers });
    expect(await allRows()).toEqual(before);
    expect(dry.results.map(({ outcome, id }) => [outcome, id])).toEqual([
      ['existing', partner.client.id],
      ['created', undefined],
      ['refused', undefined],
    ]);
    expect(outcomesOf(await partner.clients(items, { headers }))).toEqual(outcomesOf(dry));
  });
});

const internal = refused('internal', 'internal error; give support the x-request-id');

describe('a batch with an item that PostgreSQL refuses', async () => {
  const poison = unique('poison');
  for (const table of ['client', 'conversion']) {
    await api.database.asOwner(`alter table ${table} add check (external_reference <> '${poison}') not valid`);
  }

  it.each(['', '?dryRun=true'])('refuses this conversion alone (%s)', async (query) => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const items = [order(), order({ conversionExternalReference: poison }), order()];
    const reply = await partner.conversions([...items, items[0]], { query });
    expect(outcomesOf(reply)).toEqual(['created', 'refused', 'created', 'repeated']);
    expect(reply.results[1]).toEqual({ index: 1, ...internal });
    expect(outcomesOf(await partner.conversions([items[1]], { query }))).toEqual(['refused']);
  });

  it.each(['', '?dryRun=true'])('refuses this client alone (%s)', async (query) => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const { leadReference } = partner;
    const items = [poison, unique('client')].map((externalReference) => ({ leadReference, externalReference }));
    const reply = await partner.clients(items, { query, headers: { 'idempotency-key': unique('key') } });
    expect(outcomesOf(reply)).toEqual(['refused', 'created']);
    expect(reply.results[0]).toEqual({ index: 0, ...internal });
  });
});
