import { describe, expect, it } from 'vitest';
import {
  landingTargetSchema,
  passedNames,
  passedParametersSchema,
  targetPieces,
  webAddressSchema,
} from './landing-target.ts';

describe('landing target', () => {
  it.each(['https://shop.example/offer?x=1#top', 'http://localhost:4000/', 'http://127.0.0.1/'])(
    'accepts the target URL %s',
    (target) => {
      expect(landingTargetSchema.parse(target)).toBe(target);
    },
  );

  it.each([
    'http://shop.example/',
    '//shop.example/',
    '/offer',
    'javascript:alert(1)',
    'https://user:word@shop.example/',
    'ftp://localhost/',
    'https://shop.example/?serviceId={serviceId}',
  ])('rejects the target URL %s', (target) => {
    expect(landingTargetSchema.safeParse(target).success).toBe(false);
  });

  it.each([
    'https://shop.example/x?click={lead}',
    'https://shop.example/x?click={lead}&src={utm_source}&g={gclid}#{utm_campaign}',
    'https://shop.example/x?s={ScCid}',
  ])('accepts known placeholders: %s', (target) => {
    expect(landingTargetSchema.parse(target)).toBe(target);
  });

  it.each([
    ['https://shop.example/x?click={leads}', 'unknown placeholder'],
    ['https://shop.example/x?click={}', 'unknown placeholder'],
    ['https://shop.example/x?a={GCLID}', 'unknown placeholder'],
    ['https://shop.example/x#{name}', 'unknown placeholder'],
    ['https://shop.example/{lead}/x', 'behind the question mark'],
  ])('refuses a placeholder that nothing fills, and says what there is: %s', (target, message) => {
    expect(landingTargetSchema.safeParse(target).error?.message).toContain(message);
  });

  it('is split at its placeholders', () => {
    expect(targetPieces('?a={lead}&b={name}')).toEqual([
      { text: '?a=' },
      { name: 'lead' },
      { text: '&b=' },
      { text: '{name}' },
      { text: '' },
    ]);
  });
});

describe('the parameters that a page hands on', () => {
  it.each([
    ['known', 'known'],
    ['none', 'none'],
    [' coupon , product,', 'coupon,product'],
    ['known,coupon', 'coupon'],
    ['coupon,coupon', 'coupon'],
    ['a.b,c-d,e_f,g~h', 'a.b,c-d,e_f,g~h'],
  ])('%j is kept as %j', (typed, kept) => {
    expect(passedParametersSchema.parse(typed)).toBe(kept);
  });

  it.each([
    '',
    ',',
    'none,coupon',
    'serviceId',
    'a b',
    'a&b',
    'a=b',
    'ñ',
    'x'.repeat(65),
    Array.from({ length: 21 }, (_, i) => `p${i}`).join(),
  ])('refuses %j', (typed) => {
    expect(passedParametersSchema.safeParse(typed).success).toBe(false);
  });

  it('are the known ones, none, or more than the known ones', () => {
    expect(passedNames('none')).toEqual([]);
    expect(passedNames('known')).toContain('gclid');
    expect(passedNames('coupon')).toEqual([...passedNames('known'), 'coupon']);
  });
});

describe('webAddressSchema', () => {
  it.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://shop.example/1',
    'ftp://shop.example/',
    'http://shop.example/',
    'http://localhost.shop.example/',
    'http://127.0.0.1.shop.example/',
    '//shop.example/',
    '/offer',
    'https://user:word@shop.example/',
    'https://shop.example@evil.example/',
    'shop.example',
    'https://cdn;sandbox/x.png',
    'https://cdn,evil.example/x.png',
    "https://cdn'none'/",
    'https://',
    '',
  ])('rejects the URL %j', (address) => {
    expect(webAddressSchema.safeParse(address).success).toBe(false);
  });

  it.each([
    ['https://shop.example/a b"<>`', 'https://shop.example/a%20b%22%3C%3E%60'],
    ['https://shop.example/\r\nSet-Cookie: a=1', 'https://shop.example/Set-Cookie:%20a=1'],
    [String.raw`https://shop.example\@evil.example`, 'https://shop.example/@evil.example'],
    ['HTTPS://SHOP.example/Ñ', 'https://shop.example/%C3%91'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
  ])('normalises the URL as browsers do: %j', (address, read) => {
    expect(webAddressSchema.parse(address)).toBe(read);
  });
});
