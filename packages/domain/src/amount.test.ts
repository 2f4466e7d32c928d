import { describe, expect, it } from 'vitest';
import { amountSchema } from './fields.ts';

describe('amountSchema', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.004, '0.004'],
    [1.005, '1.005'],
    [1e3, '1000'],
    [9_999_999_999.99, '9999999999.99'],
  ])('parses the amount %d into %j without rounding', (sent, kept) => {
    expect(amountSchema.parse(sent)).toBe(kept);
  });

  it.each([
    [-0.01, 'must not be negative'],
    [9_999_999_999.995, 'must not be larger than 9999999999.99'],
    [10_000_000_000, 'must not be larger than 9999999999.99'],
    ['10', 'expected a number'],
    [null, 'expected a number'],
    [undefined, 'expected a number'],
    [true, 'expected a number'],
    [[1], 'expected a number'],
    [{}, 'expected a number'],
    [Number.NaN, 'expected a number'],
    [Number.POSITIVE_INFINITY, 'expected a number'],
  ])('rejects the amount %s: %s', (sent, reason) => {
    const { error } = amountSchema.safeParse(sent);
    expect(error?.issues.map((issue) => issue.message)).toEqual([reason]);
  });
});
