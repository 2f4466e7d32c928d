import { describe, expect, it } from 'vitest';
import { countMarks, decimalMarkOf, noMarks, readAmount } from './numbers.ts';
import { countOrders, dateOrderOf, noOrders, readTime } from './times.ts';

const inColumn = (cells: readonly string[], currencyDecimals = 2) => {
  const decimalMark = decimalMarkOf(cells.reduce(countMarks, noMarks));
  return cells.map((cell) => {
    const read = readAmount(cell, { decimalMark, decimals: currencyDecimals });
    return typeof read === 'object' ? read.amount : read;
  });
};

describe('an amount', () => {
  it.each<[string, number, string?]>([
    ['149.90', 149.9],
    ['149,90', 149.9],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1 234,56', 1234.56],
    ['1\u00A0234,56', 1234.56],
    ['1\u202F234,56', 1234.56],
    ["1'234.50", 1234.5],
    ['1.234.567', 1234567],
    ['1,234,567.8', 1234567.8],
    ['1234.567', 1234.567],
    ['0.125', 0.125],
    ['0,5', 0.5],
    ['.5', 0.5],
    ['-12', -12],
    ['12-', -12],
    ['−12', -12],
    ['(12,00)', -12],
    ['$149.90', 149.9],
    ['$ 1.234,50', 1234.5],
    ['&#36;1,234.00', 1234],
    ['149.90 USD', 149.9, 'USD'],
    ['ARS 1.234,56', 1234.56, 'ARS'],
    ['usd 5', 5, 'USD'],
    ['US$ 5', 5, 'USD'],
    ['R$ 1.234,56', 1234.56, 'BRL'],
    ['-R$ 5,00', -5, 'BRL'],
    ['ARS$ 5', 5, 'ARS'],
    ['5 €', 5, 'EUR'],
    ['5&nbsp;&euro;', 5, 'EUR'],
  ])('that is %s is read without a question', (cell, amount, currency) => {
    expect(readAmount(cell, { decimalMark: undefined, decimals: 2 })).toEqual({ amount, currency });
  });

  it.each([
    '',
    'free',
    '1.2.3',
    '1,23,456',
    '12.34.56',
    '1.234,',
    '--5',
    '(-5)',
    '5 apples',
    '1e3',
    '1.5E+3',
    'USD 5 ARS',
    '12%',
  ])('that is %s is none', (cell) => expect(readAmount(cell, { decimalMark: '.', decimals: 2 })).toBeUndefined());

  it.each<[readonly string[], readonly (number | 'unclear')[]]>([
    [['1.234'], ['unclear']],
    [
      ['1.234', '1.234'],
      ['unclear', 'unclear'],
    ],
    [
      ['1.234', '149,90'],
      [1234, 149.9],
    ],
    [
      ['1,234', '149.90'],
      [1234, 149.9],
    ],
    [
      ['1.234', '149.90'],
      ['unclear', 149.9],
    ],
    [
      ['1.234', '1.234,56'],
      [1234, 1234.56],
    ],
    [
      ['15.000', '1.234.567'],
      [15_000, 1_234_567],
    ],
    [
      ['15.000', '9.500', '1.234'],
      [15_000, 9_500, 1_234],
    ],
    [
      ['149,90', '149.90', '1.234'],
      [149.9, 149.9, 'unclear'],
    ],
    [
      ['1,234', '1.234'],
      ['unclear', 'unclear'],
    ],
  ])('is decided by its column: %j', (cells, amounts) => expect(inColumn(cells)).toEqual(amounts));

  it('of a currency with three decimals has them', () => expect(inColumn(['1.234'], 3)).toEqual([1.234]));
});

const until = '2026-11-29T12:00:00.000Z';
const zone = 'America/Argentina/Buenos_Aires';
const evening = '2026-11-27T23:00:00.000Z';

describe('a time', () => {
  it.each([
    ['2026-11-27T20:00:00-03:00', evening],
    ['2026-11-27 20:00:00 -0300', evening],
    ['1795820400', evening],
    ['2026-11-27 20:00:00', evening],
    ['2026-11-27T20:00', evening],
    ['2026/11/27 20:00', evening],
    ['27/11/2026 20:00:00', evening],
    ['27/11/2026 20:00', evening],
    ['27-11-2026 20:00', evening],
    ['27.11.2026 20:00', evening],
    ['27/11/2026, 20:00', evening],
    ['27/11/26 20:00', evening],
    ['11/27/2026 8:00:00 PM', evening],
    ['27/11/2026 08:00 p. m.', evening],
    ['27/11/2026 12:30 a. m.', '2026-11-27T03:30:00.000Z'],
    ['46353.8333333333', evening],
    ['46353,8333333333', evening],
    ['2026-11-27', '2026-11-28T02:59:59.000Z'],
    ['27/11/2026', '2026-11-28T02:59:59.000Z'],
    ['46353', '2026-11-28T02:59:59.000Z'],
    ['29/11/2026', until],
    ['05/05/2026 10:00', '2026-05-05T13:00:00.000Z'],
  ])('that is %s names one instant in a zone', (cell, time) => {
    expect(readTime(cell, { timeZone: zone, until })).toEqual({ time });
  });

  it.each(['yesterday', '31/02/2026', '2026-13-01', '27/11/2026 25:00', '20:00', '27 Nov 2026'])(
    'that is %s is none',
    (cell) => expect(readTime(cell, { timeZone: zone, until })).toBeUndefined(),
  );

  it('of which day and month cannot be told apart, or the zone, is a question', () => {
    expect(readTime('03/04/2026', { timeZone: zone, until })).toMatchObject({
      problem: expect.stringContaining('month'),
    });
    expect(readTime('2026-11-27 20:00', { until })).toMatchObject({ problem: expect.stringContaining('zone') });
  });

  it.each<[readonly string[], string | undefined]>([
    [['03/04/2026', '27/11/2026'], 'dmy'],
    [['03/04/2026', '11/27/2026'], 'mdy'],
    [['03/04/2026'], undefined],
    [['27/11/2026', '11/27/2026'], undefined],
    [['2026-11-27'], undefined],
  ])('has its order from its column: %j', (cells, order) => {
    expect(dateOrderOf(cells.reduce(countOrders, noOrders))).toBe(order);
  });

  it.each([
    ['2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01 02:30', '2026-11-01T07:30:00.000Z'],
    ['2026-07-01 12:00', '2026-07-01T16:00:00.000Z'],
  ])('that is %s when clocks change in New York is read by its clocks', (cell, time) => {
    expect(readTime(cell, { timeZone: 'America/New_York', until })).toEqual({ time });
  });
});
