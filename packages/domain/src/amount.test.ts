import { describe, expect, it } from 'vitest';
import { amountSchema } from './money.ts';

describe('amountSchema', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1.005, '1.005'],
    [9_999_999_999.99, '9999999999.99'],
  ])('parses the amount %d into %j without rounding', (sent, kept) => {
    expect(amountSchema.parse(sent)).toBe(kept);
  });

  it.each([
    [-0.01, 'must not be negative'],
    [10_000_000_000, 'must not be larger than 9999999999.99'],
    ['10', 'expected a number'],
    [null, 'expected a number'],
    [undefined, 'expected a number'],
    [Number.NaN, 'expected a number'],
    [Number.POSITIVE_INFINITY, 'expected a number'],
  ])('rejects the amount %s: %s', (sent, reason) => {
    const { error } = amountSchema.safeParse(sent);
    expect(error?.issues.map((issue) => issue.message)).toEqual([reason]);
  });
});
