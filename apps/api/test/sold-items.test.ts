import { parcelClaimer } from '@leadback/core/delivery/claim';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { givenContacts, secretsKeys, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner, idOf, order, outcomesOf } from './given-api.ts';

const full = { id: 'SKU-1', name: 'Mate set', quantity: 2, price: 9.5 };

describe('the items and the net amount of a sale', async () => {
  const api = await shared(givenApi());

  it('are read back as they are stored: rounded to the minor unit of the currency, without what says nothing', async () => {
    const { sell, conversion } = await givenPartner(api);
    const items = [full, { id: 8731, name: ' ', price: 0.005 }, {}, { name: '  Gift wrap ', quantity: null }];
    const id = await sell({ amount: 30, netAmount: 4.005, items });
    expect(await conversion(id)).toMatchObject({
      amount: 30,
      netAmount: 4.01,
      items: [full, { id: '8731', price: 0.01 }, { name: 'Gift wrap' }],
    });
    const without = await conversion(await sell({ items: [], netAmount: null }));
    expect(without).not.toHaveProperty('items');
    expect(without).not.toHaveProperty('netAmount');
  });

  it('are what a worker is told of the sale, with exact amounts', async () => {
    const { sell } = await givenPartner(api, { platforms: ['meta'] });
    const before = api.announced.length;
    const id = await sell({ amount: 30, netAmount: 4, items: [full] });
    const claim = parcelClaimer(api.database.pool, givenContacts());
    const [parcel] = api.announced.slice(before);
    const claimed = await claim(parcel?.id ?? 0);
    expect(claimed?.deliveries[0]?.event).toMatchObject({
      id,
      amount: '30.00',
      netAmount: '4.00',
      items: [{ ...full, price: '9.50' }],
    });
  });

  it.each<[string, object, string]>([
    ['more than 100', { items: Array.from({ length: 101 }, () => full) }, 'items: more than 100 items'],
    ['no list', { items: full }, 'items: expected a list of objects'],
    ['a text', { items: ['SKU-1'] }, 'items.0: expected an object such as'],
    ['an id that is too long', { items: [{ id: 'x'.repeat(101) }] }, 'items.0.id: longer than 100 characters'],
    ['an id that is an object', { items: [{ id: {} }] }, 'items.0.id: expected a string'],
    ['a name that is too long', { items: [{ name: 'x'.repeat(201) }] }, 'items.0.name: longer than 200 characters'],
    ['a name with a control character', { items: [{ name: 'a\u0000' }] }, 'items.0.name: has control characters'],
    ['no quantity', { items: [{ quantity: 0 }] }, 'items.0.quantity: expected a whole number'],
    ['a part of one', { items: [full, { quantity: 0.5 }] }, 'items.1.quantity: expected a whole number'],
    ['too many of one', { items: [{ quantity: 1_000_001 }] }, 'items.0.quantity: expected a whole number'],
    ['a price that is text', { items: [{ price: '9.50' }] }, 'items.0.price: expected a number'],
    ['a price below 0', { items: [{ price: -1 }] }, 'items.0.price: must not be negative'],
    ['a net amount that is text', { netAmount: '4' }, 'netAmount: expected a number'],
    ['a net amount below 0', { netAmount: -0.01 }, 'netAmount: must not be negative'],
  ])('are refused by name: %s', async (_what, fields, message) => {
    const { convert } = await givenPartner(api);
    expect(await convert(fields)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('cost no sale: what is rounded, larger than the amount or unknown is named in a warning', async () => {
    const { convert, conversion } = await givenPartner(api);
    const sold = { conversionExternalReference: unique('order'), amount: 10 };
    const larger = await convert({ ...sold, netAmount: 10.01, items: [{ ...full, price: 1.005, colour: 'blue' }] });
    expect([larger.status, larger.headers.get('leadback-warning')]).toEqual([
      201,
      expect.stringMatching(/not-usable;field=netAmount, rounded;field=items\.price/),
    ]);
    expect(larger.headers.get('leadback-warning')).toContain('unknown-field;field=items.0.colour');
    const equal = await convert({ ...sold, conversionExternalReference: unique('order'), netAmount: 10 });
    expect(await conversion(idOf(equal))).toMatchObject({ amount: 10, netAmount: 10 });
  });

  it('are part of what an Idempotency-Key stands for', async () => {
    const { convert } = await givenPartner(api);
    const headers = { 'idempotency-key': unique('key') };
    const sent = { conversionExternalReference: unique('order'), items: [full] };
    expect(await convert(sent, { headers })).toMatchObject({ status: 201 });
    expect(await convert(sent, { headers })).toMatchObject({ status: 201 });
    expect(await convert({ ...sent, items: [{ ...full, quantity: 3 }] }, { headers })).toMatchObject({ status: 422 });
  });

  it('are taken of each sale of a batch', async () => {
    const { conversions, conversion } = await givenPartner(api);
    const batch = await conversions([
      order({ items: [full], netAmount: 1 }),
      order(),
      order({ items: [{ price: '1' }] }),
    ]);
    expect(outcomesOf(batch)).toEqual(['created', 'created', 'refused']);
    const [first, second] = batch.results;
    expect(await conversion(first?.id ?? 0)).toMatchObject({ items: [full], netAmount: 1 });
    expect(await conversion(second?.id ?? 0)).not.toHaveProperty('items');
  });

  it('are erased with the person, and the amounts stay', async () => {
    const { post, sell, conversion } = await givenPartner(api);
    const other = await givenPartner(api);
    const mine = await sell({ netAmount: 4, items: [{ name: 'Voucher for Ana' }] });
    const theirs = await other.sell({ items: [full] });
    expect(await post('/client/erasure', { clientExternalReference: 'C1' })).toMatchObject({ status: 202 });
    await expect
      .poll(async () => (await performNextErasure(api.database.pool, erasureTools(secretsKeys, 30))) !== undefined)
      .toBe(true);
    const erased = await conversion(mine);
    expect(erased).toMatchObject({ amount: 10, netAmount: 4 });
    expect(erased).not.toHaveProperty('items');
    expect(await other.conversion(theirs)).toMatchObject({ items: [full] });
  });
});
