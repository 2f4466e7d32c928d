import { describe, expect, it } from 'vitest';
import { landingTargetSchema, withServiceId } from './landing-page.ts';

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
