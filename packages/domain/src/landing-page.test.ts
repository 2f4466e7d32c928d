import { describe, expect, it } from 'vitest';
import { landingTargetSchema, withServiceId, webAddressSchema } from './landing-page.ts';

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

  it('keeps the query of the target URL when it adds the lead reference', () => {
    expect(withServiceId('https://shop.example/offer?a=1&b=%20x#top', 'R')).toBe(
      'https://shop.example/offer?a=1&b=%20x&serviceId=R#top',
    );
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
