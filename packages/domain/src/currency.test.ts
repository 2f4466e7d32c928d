import { expect, it, describe } from 'vitest';
import {
  currencies,
  type Currency,
  decimalIn,
  decimalsOf,
  inMinorUnits,
  isCurrency,
  roundedAmount,
} from './currency.ts';
import { currencyListSchema, currencySchema } from './fields.ts';

describe('currencies', () => {
  it('names each code of ISO 4217 with a minor unit once, and no metal, test code or code that was withdrawn', () => {
    expect(new Set(currencies).size).toBe(currencies.length);
    expect(currencies).toHaveLength(165);
    for (const other of ['XAU', 'XXX', 'XTS', 'XDR', 'BGN', 'HRK', 'ANG', 'ZWL', 'SLL', 'VEF', 'usd', 'US', ''])
      expect([other, isCurrency(other)]).toEqual([other, false]);
  });

  it.each<[Currency, number]>([
    ['USD', 2],
    ['ARS', 2],
    ['BRL', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['CLP', 0],
    ['PYG', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    // CLDR, and so Intl, has others for these
    ['COP', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['TWD', 2],
    ['UYU', 2],
    ['PKR', 2],
    ['MGA', 2],
    ['IQD', 3],
  ])('gives amounts in %s %i decimals, as ISO 4217 says', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });

  it('refuses lower case and unknown codes with the form that is expected', () => {
    for (const code of ['usd', 'Usd', 'PESO', 'XXX', 1, null])
      expect(currencySchema.safeParse(code).error?.issues[0]?.message).toMatch(/^expected a currency of ISO 4217/);
  });

  it('reads a list with commas in its order, each code once, and refuses a list with another code', () => {
    expect(currencyListSchema.parse('BRL, USD,BRL')).toEqual(['BRL', 'USD']);
    expect(currencyListSchema.parse(['USD', 'ARS'])).toEqual(['USD', 'ARS']);
    expect(currencyListSchema.optional().parse(undefined)).toBeUndefined();
    for (const wrong of ['', 'usd', 'USD;ARS', 'USD,ABC', [], 7])
      expect(currencyListSchema.safeParse(wrong).error?.issues[0]?.message).toMatch(/such as USD,ARS,BRL$/);
  });
});

describe('amounts in minor units', () => {
  it.each<[string, Currency, string]>([
    ['0', 'USD', '0.00'],
    ['7', 'USD', '7.00'],
    ['149.9', 'USD', '149.90'],
    ['-149.90', 'USD', '-149.90'],
    ['-0.05', 'USD', '-0.05'],
    ['9999999999.99', 'USD', '9999999999.99'],
    ['1.005', 'USD', '1.01'],
    ['1.0049', 'USD', '1.00'],
    ['1e-7', 'USD', '0.00'],
    ['1000.5', 'JPY', '1001'],
    ['1000.49', 'JPY', '1000'],
    ['0', 'JPY', '0'],
    ['0.4', 'CLP', '0'],
    ['1.2345', 'KWD', '1.235'],
    ['0.0005', 'KWD', '0.001'],
    ['0.00049', 'KWD', '0.000'],
    ['12', 'KWD', '12.000'],
    ['1.00005', 'CLF', '1.0001'],
  ])('rounds %s %s half up to %s', (amount, currency, rounded) => {
    expect(roundedAmount(amount, currency)).toBe(rounded);
    expect(decimalIn(currency, inMinorUnits(rounded, currency))).toBe(rounded);
  });
});
