import { z } from 'zod';

const hundredths = 100n;

/** A decimal in hundredths, rounded half up, as `numeric(12,2)` stores it. Smaller than a millionth is 0. */
export const inHundredths = (decimal: string): bigint => {
  if (decimal.includes('e-')) return 0n;
  const [whole = '0', places = ''] = decimal.split('.');
  const size = BigInt(whole.replace('-', '')) * hundredths + BigInt(places.slice(0, 2).padEnd(2, '0'));
  const rounded = size + (places.charAt(2) >= '5' ? 1n : 0n);
  return whole.startsWith('-') ? -rounded : rounded;
};

/** The decimal with two places. */
export const decimalOf = (sum: bigint): string => {
  const size = sum < 0n ? -sum : sum;
  return `${sum < 0n ? '-' : ''}${size / hundredths}.${String(size % hundredths).padStart(2, '0')}`;
};

export const currencies = ['USD', 'ARS'] as const;
export type Currency = (typeof currencies)[number];

export const currencySchema = z.enum(currencies, { error: `expected ${currencies.join(' or ')}` });
