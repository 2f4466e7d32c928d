import { expect, it, describe } from 'vitest';
import { currencies, decimalOf, inHundredths } from './conversion.ts';

// PostgreSQL and the addresses of the console take three capitals
it.each(currencies)('%s is a currency of ISO 4217 that people and platforms know by its code', (currency) => {
  expect(Intl.supportedValuesOf('currency')).toContain(currency);
});

describe('amounts in hundredths', () => {
  it.each([
    ['0', 0n],
    ['7', 700n],
    ['149.9', 14_990n],
    ['-149.90', -14_990n],
    ['-0.05', -5n],
    ['9999999999.99', 999_999_999_999n],
    ['1.005', 101n],
    ['1.0049', 100n],
    ['1e-7', 0n],
  ])('read %s exactly, and round half up to the cent', (decimal, hundredths) => {
    expect(inHundredths(decimal)).toBe(hundredths);
  });

  it.each(['0.00', '0.05', '-0.05', '31220.00', '-149.90'])('write %s with two places', (decimal) => {
    expect(decimalOf(inHundredths(decimal))).toBe(decimal);
  });
});
