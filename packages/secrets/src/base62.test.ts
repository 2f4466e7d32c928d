import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesInBase62, randomBase62 } from './base62.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const lastDigits = (bytes: Uint8Array, length: number): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return Array.from({ length }, () => {
    const digit = alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
    return digit;
  }).join('');
};

describe('base 62', () => {
  it.each([4, 32])('writes the last digits of a number of %i bytes in base 62', (bytes) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: bytes, maxLength: bytes }),
        fc.integer({ min: 1, max: 22 }),
        (one, length) => {
          expect(bytesInBase62(Buffer.from(one), length)).toBe(lastDigits(one, length));
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
