import { type Currency, decimalIn, decimalsOf, inMinorUnits, isCurrency } from '@leadback/domain';
import { readAmount } from '../csv/numbers.ts';

const decimal = /^-?\d{1,15}(?:\.\d{1,20})?$/;

/** A number as JSON or a program writes it, as a decimal; undefined for all else. */
export const plainDecimal = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return decimal.test(text) ? text : undefined;
};

/** An amount as people write it (`$ 15.400,50`), as a decimal; undefined if it is none, or 1.234 may be a thousand. */
export const writtenDecimal = (value: unknown, currency: string | undefined): string | undefined => {
  if (typeof value !== 'string') return plainDecimal(value);
  const decimals = isCurrency(currency) ? decimalsOf(currency) : 2;
  const read = readAmount(value, { decimalMark: undefined, decimals });
  return typeof read === 'object' ? plainDecimal(read.amount) : undefined;
};

/** An ISO 4217 code in any case; undefined if it is none. */
export const currencyIn = (value: unknown): Currency | undefined => {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : undefined;
  return isCurrency(code) ? code : undefined;
};

/** What is left of a total after refunds, and never less than nothing. All are decimals; a refund may be negative. */
export const lessRefunds = (total: string, refunds: readonly string[], currency: Currency): string => {
  const left = refunds.reduce(
    (rest, refund) => {
      const minor = inMinorUnits(refund, currency);
      return rest - (minor < 0n ? -minor : minor);
    },
    inMinorUnits(total, currency),
  );
  return decimalIn(currency, left < 0n ? 0n : left);
};

/** A whole number of the smallest unit of its currency as a decimal. */
export const fromMinorUnits = (value: unknown, currency: Currency): string | undefined => {
  const text = plainDecimal(value);
  return text === undefined || !/^-?\d+$/.test(text) ? undefined : decimalIn(currency, BigInt(text));
};
