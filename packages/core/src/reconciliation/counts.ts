import { type ReconciliationMeasure, reconciliationMeasures } from '@leadback/domain';
import { z } from 'zod';
import { addMoney, type Amount, moneySumsSchema } from '../imports/money-sums.ts';

export type ReconciliationCounts = Readonly<Record<ReconciliationMeasure, number>>;

/** Reads stored counts; measures without rows are not stored. */
export const countsSchema = z
  .partialRecord(z.enum(reconciliationMeasures), z.number())
  .transform((stored): ReconciliationCounts => {
    const count = (measure: ReconciliationMeasure) => stored[measure] ?? 0;
    return {
      matched: count('matched'),
      amountDiffers: count('amountDiffers'),
      currencyDiffers: count('currencyDiffers'),
      duplicateInList: count('duplicateInList'),
      missing: count('missing'),
      missingWithoutClient: count('missingWithoutClient'),
      extra: count('extra'),
      undelivered: count('undelivered'),
      refused: count('refused'),
    };
  });

/** Amounts by outcome; `registered`: of the conversions whose amount differs, as they are registered. */
export const reconciliationMoneySchema = z.partialRecord(
  z.enum([...reconciliationMeasures, 'registered']),
  moneySumsSchema,
);
export type ReconciliationMoney = Readonly<z.infer<typeof reconciliationMoneySchema>>;

/** Adds amounts of one kind. */
export const withMoney = (
  money: ReconciliationMoney,
  kind: keyof ReconciliationMoney,
  amounts: readonly Amount[],
): ReconciliationMoney => ({ ...money, [kind]: addMoney(money[kind] ?? {}, amounts) });

/** Adds up counts. */
export const addedUp = (
  counts: ReconciliationCounts,
  more: Iterable<readonly [ReconciliationMeasure, number]>,
): ReconciliationCounts => {
  const sums: Record<ReconciliationMeasure, number> = { ...counts };
  for (const [measure, count] of more) sums[measure] += count;
  return sums;
};
