import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { secretsKeys } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { readForm, readJson } from './body.ts';
import { clickUrlIn, leadReferencesIn, personMarksIn } from './reference-finder.ts';

const keys = leadReferenceKeys(secretsKeys);
const reference = issueLeadReference(keys);
const invented = '0123456789abcdefghijkl';

describe('a genuine lead reference', () => {
  const encoded = encodeURIComponent(`https://shop.example/?serviceId=${reference}&x=1`);
  const places = {
    alone: reference,
    'in a URL': `https://shop.example/p?a=1&serviceId=${reference}#form`,
    'in a URL within a URL': `https://pay.example/?back=${encoded}`,
    'in one that is encoded twice': `https://pay.example/?back=${encodeURIComponent(encoded)}`,
    'in the cookie': `leadback=${reference}.1764400000.f3a9c1; _ga=x`,
    'in a note in a sentence': `Pedido de Ana. Ref: "${reference}", gracias`,
    'in JSON within a text': JSON.stringify({ leadback: reference }),
    'where a shop dropped what was encoded': `https://shop.example/?back=https:shop.exampleserviceId${reference}`,
    'deep inside a list': [{ attributes: [{ name: 'leadback', value: { text: reference } }] }],
  };

  it.each(Object.entries(places))('is found %s', (_, place) => {
    expect(leadReferencesIn(keys, { id: invented, place })).toEqual([reference]);
  });

  it('is found once, and before others that come later', () => {
    const other = issueLeadReference(keys);
    expect(leadReferencesIn(keys, [reference, other, reference])).toEqual([reference, other]);
  });

  it.each([invented, `x${reference}`, `${reference}x`, reference.toLowerCase(), reference.slice(1), ''])(
    'is not %s',
    (text) => {
      expect(leadReferencesIn(keys, { text })).toEqual([]);
    },
  );

  it('is looked for in a hostile message for less than a second', () => {
    const since = performance.now();
    let deep: unknown = 'x';
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    const many = Array.from({ length: 20_000 }, (_, index) => String(index).padStart(22, '0'));
    leadReferencesIn(keys, [deep, many, '%'.repeat(100_000), 'serviceId='.repeat(100_000), 'a@'.repeat(100_000)]);
    personMarksIn(keys, [deep, many, '@'.repeat(100_000), 'a@b'.repeat(50_000)]);
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});

it('a landing URL with a click id is used, and one with an invented or empty one is not', () => {
  const now = Date.now();
  const click = 'https://shop.example/p?gclid=Cj0KCQjw_abcDEF123456789&utm_source=google';
  const others = ['https://shop.example/?gclid={gclid}', 'https://shop.example/?utm_source=x', '/p?x', undefined];
  expect(clickUrlIn([...others, click], now)).toBe(click);
  expect(clickUrlIn(others, now)).toBeUndefined();
});

it('persons in a message are found by every email, lead reference and phone number in it', () => {
  const message = {
    buyer: 'Ana <Ana@X.example>',
    url: `https://x.example/?email=eva%40x.example&serviceId=${reference}`,
    phone: '+54 9 11 5555-0101',
    number: 1155550101,
    total: '15400.50',
  };
  expect(personMarksIn(keys, message)).toEqual({
    emails: ['Ana@X.example', 'eva@x.example'],
    phoneNumbers: ['+54 9 11 5555-0101', '1155550101', '15400.50'],
    leadReferences: [reference],
  });
});

describe('a body', () => {
  it('keeps all digits of an id beyond 2^53, and numbers as they are', () => {
    expect(readJson('{"id": 900719925474099312, "ids": [-12345678901234567890], "amount": 15400.50, "n": 7}')).toEqual({
      id: '900719925474099312',
      ids: ['-12345678901234567890'],
      amount: 15400.5,
      n: 7,
    });
  });

  it('of a form has nested fields as PHP names them, and no prototype', () => {
    const form = readForm('order[id]=7&order[items][]=a&order[items][]=b&id=1&id=2&__proto__[x]=1&a[b=c');
    expect(JSON.parse(JSON.stringify(form))).toEqual({
      order: { id: '7', items: { 0: 'a', 1: 'b' } },
      id: '1',
      ['__proto__']: { x: '1' },
      a: 'c',
    });
    expect(Object.hasOwn({}, 'x')).toBe(false);
  });
});

it('a form of hundreds of thousands of fields is refused, and no name of a field takes long', () => {
  expect(() => readForm('a[]=1&'.repeat(170_000))).toThrow('too many fields');
  expect(Object.keys(readForm(`a${'['.repeat(500_000)}=1`))).toEqual(['a']);
  expect(readForm('a[]=1&a[]=2&a[x]=3&a[]=4')).toEqual({ a: { 0: '1', 1: '2', x: '3', 3: '4' } });
});
