import { describe, expect, it } from 'vitest';
import { landingTargetSchema, withServiceId } from './landing-target.ts';

describe('landing target', () => {
  it.each(['https://shop.example/offer?x=1#top', 'http://localhost:4000/', 'http://127.0.0.1/'])(
    'accepts %s',
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
  ])('refuses %s', (target) => {
    expect(landingTargetSchema.safeParse(target).success).toBe(false);
  });

  it('keeps its own query when the reference is added', () => {
    expect(withServiceId('https://shop.example/offer?a=1&b=%20x#top', 'R')).toBe(
      'https://shop.example/offer?a=1&b=%20x&serviceId=R#top',
    );
  });
});
