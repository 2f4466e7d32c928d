import { Conversion } from '@leadback/db';
import { currencies } from '@leadback/domain';
import { givenApiKey, givenClient, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenBatchPartner, order, outcomesOf, refused } from './given-batches.ts';

const named = (clientExternalReference?: string, email?: string) => ({ clientExternalReference, email });
const many = (count: number) => Array.from({ length: count }, () => order());

describe('POST /client/conversion/batch', async () => {
  const api = await shared(givenApi());

  const stored = (account: { id: number }) =>
    api.database.em().find(Conversion, { account: account.id }, { orderBy: { id: 'asc' } });

  it('answers 200 with one outcome per item in order, and the items that are fine are registered', async () => {
    const partner = await givenBatchPartner(api);
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
        refused('invalid-fields', `amount: expected a number; currency: expected ${currencies.join(' or ')}`),
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
    const partner = await givenBatchPartner(api);
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
    const partner = await givenBatchPartner(api);
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
    const partner = await givenBatchPartner(api);
    const items = many(250);
    const batches = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => partner.conversions(turn % 2 ? items : items.toReversed())),
    );
    const single = await partner.send('/client/conversion', items[0]);
    const outcomes = batches.flatMap(outcomesOf);
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(250);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(1_750);
    expect(single.headers.get('leadback-error')).toBe('conversion-repeated');
    const references = (await stored(partner.account)).map(({ externalReference }) => externalReference);
    expect(references).toHaveLength(250);
    expect(new Set(references)).toEqual(new Set(items.map((one) => one.conversionExternalReference)));
  });

  it('keeps test and live conversions apart', async () => {
    const partner = await givenBatchPartner(api);
    const em = api.database.em();
    const { account } = partner;
    await givenClient(em, { account, externalReference: 'C1', isTest: true });
    const key = await givenApiKey(em, { account, isTest: true });
    const items = [order()];
    expect(outcomesOf(await partner.conversions(items))).toEqual(['created']);
    const asTest = () => api.send('POST', '/api/v1/client/conversion/batch', { key, body: { items } });
    expect([(await asTest()).body, (await asTest()).body]).toMatchObject([
      { counts: { created: 1 } },
      { counts: { repeated: 1 } },
    ]);
    expect((await stored(account)).map(({ isTest }) => isTest)).toEqual([false, true]);
  });

  it.each([
    [undefined, 'items: expected a list of 1 to 500 items'],
    [{}, 'items: expected a list of 1 to 500 items'],
    [[], 'items: expected a list of 1 to 500 items'],
    [many(501), 'items: expected a list of 1 to 500 items'],
  ])('answers 400 to an envelope that is wrong', async (items, message) => {
    const partner = await givenBatchPartner(api);
    const { status, body } = await partner.postConversions(items);
    expect([status, body]).toEqual([400, { message }]);
    const { body: toQuery } = await partner.postConversions([order()], { query: '?dryRun=yes' });
    expect(toQuery).toEqual({ message: 'dryRun: expected true or false' });
    expect(await stored(partner.account)).toEqual([]);
  });
});
