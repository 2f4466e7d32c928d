import { currencies, type Currency, decimalOf, inHundredths } from '@leadback/domain';
import { z } from 'zod';

/** Sums by currency, each a decimal with two places; amounts of different currencies are never added. */
export const moneySumsSchema = z.partialRecord(z.enum(currencies), z.string());
export type MoneySums = Readonly<z.infer<typeof moneySumsSchema>>;

export interface Amount {
  readonly currency: string | null;
  readonly amount: string | null;
}

const sumOf = (currency: Currency, amounts: readonly Amount[], sums: MoneySums): bigint =>
  amounts.reduce(
    (sum, one) => (one.currency === currency && one.amount !== null ? sum + inHundredths(one.amount) : sum),
    inHundredths(sums[currency] ?? '0'),
  );

/** Adds amounts to the sums of their currencies. Each is rounded half up to the cent, as it is stored. */
export const addMoney = (sums: MoneySums, amounts: readonly Amount[]): MoneySums =>
  Object.fromEntries(
    currencies.flatMap((currency) => {
      const sum = sumOf(currency, amounts, sums);
      return sum === 0n ? [] : [[currency, decimalOf(sum)]];
    }),
  );
