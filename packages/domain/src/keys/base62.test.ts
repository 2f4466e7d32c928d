import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastBase62Digits, randomBase62 } from './tokens.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const digitByDigit = (number: bigint, length: number): string => {
  let rest = number;
  return Array.from({ length }, () => {
    const digit = alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
    return digit;
  }).join('');
};

describe('base 62', () => {
  it.each([32, 256])('writes the last digits of a number of %i bits in base 62', (bits) => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
        fc.integer({ min: 1, max: 22 }),
        (one, length) => {
          expect(lastBase62Digits(one, length)).toBe(digitByDigit(one, length));
        },
      ),
    );
  });

  it('draws each of the 62 characters about equally often, in each place', () => {
    const drawn = Array.from({ length: 20_000 }, () => randomBase62(16));
    for (const place of [0, 15]) {
      const counts = Map.groupBy(drawn, (text) => text.charAt(place));
      expect([...counts.keys()].toSorted().join('')).toBe(alphabet);
      // 323 expected with a standard deviation of 18
      for (const texts of counts.values()) expect(Math.abs(texts.length - 20_000 / 62)).toBeLessThan(170);
    }
  });
});
