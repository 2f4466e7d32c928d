import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './judge-reply.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 3 ', 3_000],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
    ['86401', day],
    ['99999999999999999999999', day],
    ['Sun, 21 Nov 2027 12:00:00 GMT', day],
  ])('a Retry-After of %j is used, up to a day', (header, pauseMs) => {
    expect(retryAfterMs(header, now)).toBe(pauseMs);
  });

  it.each([
    undefined,
    '',
    '-5',
    '1.5',
    'NaN',
    'Infinity',
    '1e3',
    'soon',
    'Sat, 21 Nov 2026 11:59:59 GMT',
    'Sat, 99 Foo 2026 12:00:00 GMT',
  ])('a Retry-After of %j is ignored', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });
});
