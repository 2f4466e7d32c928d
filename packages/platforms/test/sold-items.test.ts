import type { SoldItem } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { requireEvent } from '../src/definition.ts';
import { googleEvent } from '../src/google/event.ts';
import { linkedinEvent } from '../src/linkedin/event.ts';
import { metaEvent } from '../src/meta/event.ts';
import { microsoftEvent } from '../src/microsoft/event.ts';
import { tiktokEvent } from '../src/tiktok/event.ts';
import { givenConversion, now } from './given-conversion.ts';

interface Told {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly google?: Readonly<Record<string, unknown>>;
  readonly tiktok?: Readonly<Record<string, unknown>>;
}

const nothing: Told = {};

const named = (id: string): Told => ({
  meta: { id, quantity: 1 },
  google: { merchantProductId: id, quantity: '1' },
  tiktok: { content_id: id, quantity: 1 },
});

const table: readonly (readonly [string, SoldItem, Told])[] = [
  [
    'all of it',
    { id: 'SKU-1', name: 'Mate set', quantity: 2, price: '9.50' },
    {
      meta: { id: 'SKU-1', quantity: 2, item_price: 9.5 },
      google: { merchantProductId: 'SKU-1', quantity: '2', unitPrice: 9.5 },
      tiktok: { content_id: 'SKU-1', content_name: 'Mate set', quantity: 2, price: 9.5 },
    },
  ],
  ['an id alone', { id: 'a' }, named('a')],
  ['an id of digits', { id: '8731' }, named('8731')],
  ['an id of many digits', { id: '40123456789012' }, named('40123456789012')],
  ['an id of Shopify', { id: 'shopify_AR_123_456' }, named('shopify_AR_123_456')],
  ['an id with a slash', { id: 'mug/blue' }, named('mug/blue')],
  ['an id with blanks', { id: 'mug blue' }, named('mug blue')],
  ['an id with accents', { id: 'café-ñ' }, named('café-ñ')],
  ['an id in another script', { id: '商品１' }, named('商品１')],
  ['a barcode', { id: '7790001234567' }, named('7790001234567')],
  ['an email as the id', { id: 'ana@example.com' }, nothing],
  ['an encoded email as the id', { id: 'ana%40example.com' }, nothing],
  ['a phone number as the id', { id: '+54 11 2345-6789' }, nothing],
  ['a name alone', { name: 'Mate set' }, nothing],
  ['a price alone', { price: '9.50' }, nothing],
  ['a quantity alone', { quantity: 3 }, nothing],
  ['a name with an email', { id: 'a', name: 'Voucher for ana@example.com' }, named('a')],
  ['a name with a phone number', { id: 'a', name: 'Top-up +54 9 11 2345-6789' }, named('a')],
  [
    'a product that is free',
    { id: 'a', price: '0.00' },
    {
      meta: { id: 'a', quantity: 1, item_price: 0 },
      google: { merchantProductId: 'a', quantity: '1', unitPrice: 0 },
      tiktok: { content_id: 'a', quantity: 1, price: 0 },
    },
  ],
  [
    'a price without decimals',
    { id: 'a', price: '1001' },
    {
      meta: { id: 'a', quantity: 1, item_price: 1001 },
      google: { merchantProductId: 'a', quantity: '1', unitPrice: 1001 },
      tiktok: { content_id: 'a', quantity: 1, price: 1001 },
    },
  ],
  [
    'a million',
    { id: 'a', quantity: 1_000_000 },
    {
      meta: { id: 'a', quantity: 1_000_000 },
      google: { merchantProductId: 'a', quantity: '1000000' },
      tiktok: { content_id: 'a', quantity: 1_000_000 },
    },
  ],
];

const client = { email: 'ana@example.com' };

const fieldsOf = (items: readonly SoldItem[]) => {
  const sale = givenConversion({ client, items });
  return {
    meta: requireEvent(metaEvent(sale, { eventName: 'Purchase' })),
    google: requireEvent(googleEvent(sale, { conversionActionId: '1' }, now)),
    tiktok: requireEvent(tiktokEvent(sale, 'Purchase')),
    linkedin: requireEvent(linkedinEvent(sale, { conversionRuleId: '1' })),
    microsoft: requireEvent(microsoftEvent(sale, { conversionName: 'Sale' })),
  };
};

const listed = (contents: object | undefined) => contents && { content_type: 'product', contents: [contents] };

describe('what was sold', () => {
  it.each(table)('is told to each platform in its own fields: %s', (_what, item, { meta, google, tiktok }) => {
    const without = fieldsOf([]);
    const told = fieldsOf([item]);
    const money = { value: 100.2, currency: 'USD', order_id: 'order-41' };
    expect(told.meta).toEqual({ ...without.meta, custom_data: { ...money, ...listed(meta) } });
    expect(told.google).toEqual({ ...without.google, ...(google && { cartData: { items: [google] } }) });
    expect(told.tiktok).toEqual({ ...without.tiktok, properties: { ...money, ...listed(tiktok) } });
    // which have no field for it
    expect(told.linkedin).toEqual(without.linkedin);
    expect(told.microsoft).toEqual(without.microsoft);
  });

  it('is told in its order, without what no platform could know', () => {
    const { meta } = fieldsOf([{ id: 'b' }, { name: 'Gift wrap', price: '1.00' }, { id: 'a' }]);
    expect(meta).toHaveProperty('custom_data.contents', [
      { id: 'b', quantity: 1 },
      { id: 'a', quantity: 1 },
    ]);
  });
});
