import { expect, it } from 'vitest';
import { currencies } from './money.ts';

// PostgreSQL and the addresses of the console take three capitals
it.each(currencies)('%s is a currency of ISO 4217 that people and platforms know by its code', (currency) => {
  expect(Intl.supportedValuesOf('currency')).toContain(currency);
});
