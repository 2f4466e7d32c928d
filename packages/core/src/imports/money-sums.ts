import { currencies, type Currency, decimalIn, inMinorUnits, isCurrency } from '@leadback/domain';
import { z } from 'zod';

/** Sums by currency, each a decimal; amounts of different currencies are never added. */
export const moneySumsSchema = z.partialRecord(z.enum(currencies), z.string());
export type MoneySums = Readonly<z.infer<typeof moneySumsSchema>>;

export interface Amount {
  readonly currency: string | null;
  readonly amount: string | null;
}

/** Adds amounts to the sums of their currencies. Each is rounded half up to the minor unit, as it is stored. */
export const addMoney = (sums: MoneySums, amounts: readonly Amount[]): MoneySums => {
  const added: Partial<Record<Currency, string>> = { ...sums };
  for (const { currency, amount } of amounts) {
    if (!isCurrency(currency) || amount === null) continue;
    const sum = inMinorUnits(added[currency] ?? '0', currency) + inMinorUnits(amount, currency);
    if (sum !== 0n) added[currency] = decimalIn(currency, sum);
    else delete added[currency];
  }
  return added;
};
