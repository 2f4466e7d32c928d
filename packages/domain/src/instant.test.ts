import { describe, expect, it } from 'vitest';
import { instantOf } from './instant.ts';
import { occurredAtSchema, dayOrTimeSchema } from './fields.ts';

const evening = '2026-11-27T23:00:00.000Z';

describe('instantOf', () => {
  it.each([
    ['2026-11-27T20:00:00-03:00', evening], // RFC 3339
    ['2026-11-27t23:00:00z', evening],
    ['2026-11-27T23:00:00Z', evening],
    ['2026-11-27T23:00Z', evening],
    ['2026-11-27T23:00:00+00:00', evening],
    ['2026-11-27T23:00:00-00:00', evening],
    ['2026-11-27T23:00:00+0000', evening], // %z of PHP and Python
    ['2026-11-27T20:00:00-0300', evening],
    ['2026-11-27T20:00:00-03', evening], // PostgreSQL
    ['2026-11-27 20:00:00-03', evening],
    ['2026-11-27 20:00:00-03:00', evening], // Google
    ['2026-11-27 20:00:00 -0300', evening], // Shopify
    ['2026-11-27  20:00:00  -03:00', evening],
    ['2026-11-27 23:00:00 UTC', evening], // Ruby
    ['2026-11-27 23:00:00 GMT', evening],
    ['2026-11-28T04:30:00+0530', evening],
    ['2026-11-27T20:00:00.000000-03:00', evening], // microseconds
    ['2026-11-27T20:00:00.1239-03:00', '2026-11-27T23:00:00.123Z'],
    ['2026-11-27 20:00:00,5-0300', '2026-11-27T23:00:00.500Z'],
    ['2026-11-27T20:00:00.123456789123-03:00', '2026-11-27T23:00:00.123Z'],
    ['2024-02-29T00:00:00+14:00', '2024-02-28T10:00:00.000Z'],
  ])('reads %s, which names one instant', (text, instant) => {
    expect(instantOf(text)).toBe(instant);
    expect(occurredAtSchema.parse(` ${text} `)).toBe(instant);
    expect(dayOrTimeSchema.parse(text)).toBe(instant);
  });

  it.each([
    '2026-11-27T20:00:00',
    '2026-11-27 20:00:00',
    '2026-11-27T20:00:00 03:00', // a + that an address has turned into a blank
    '2026-11-27 20:00:00 -03:0',
    '2026-11-27T20:00:00 ART',
    '2026-11-27T20:00:00[America/Buenos_Aires]',
    '1795820400',
    '1795820400000',
    '46353.8333',
    '27/11/2026 20:00:00-03:00',
    '11/27/2026 20:00:00-03:00',
    '2026/11/27 20:00:00-03:00',
    '2026-11-31T20:00:00Z',
    '2026-02-29T20:00:00Z',
    '2026-13-01T20:00:00Z',
    '2026-00-01T20:00:00Z',
    '2026-11-27T24:00:00Z',
    '2026-11-27T20:60:00Z',
    '2026-11-27T20:00:00+24:00',
    '2026-11-27T20:00:00--03:00',
    '2026-11-2720:00:00Z',
    '20261127T200000Z',
    'Fri, 27 Nov 2026 20:00:00 GMT',
    'yesterday',
  ])('does not guess what %s means', (text) => {
    expect(instantOf(text)).toBeUndefined();
    expect(occurredAtSchema.safeParse(text).success).toBe(false);
    expect(dayOrTimeSchema.safeParse(text).success).toBe(false);
  });
});
