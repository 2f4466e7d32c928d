import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import { insertAdjustments, insertedAdjustmentSchema, type NewAdjustment } from './insert-adjustments.ts';
import { type AdjustmentInput, newAdjustment, refusalOfAdjustment } from './new-adjustment.ts';
import { onceEach } from '../once.ts';
import type { ConversionRegistrarOptions } from './register-conversion.ts';

export interface RegisteredAdjustment {
  readonly id: number;
  readonly conversionId: number;
  /** Of the lead, if it is traced. */
  readonly traceParent: string | undefined;
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

export type ConversionAdjuster = (
  mode: AccountMode,
  input: AdjustmentInput,
  idempotencyKey?: string,
) => Promise<RegisteredAdjustment>;

/**
 * Returns a function that changes the total of a conversion, and registers a delivery of the change to each connection to
 * which the conversion has one. Adjustments of one conversion are registered one after the other. Throws
 * `conversion-unknown`, `adjustment-repeated` if the external reference is used already in the account and mode, and
 * `invalid-fields` if the conversion is retracted or has as many adjustments as it may have, or the time is out of range
 * by the clock of the database. A missing conversion is never stored for a repeated request: it may be registered later.
 */
export const conversionAdjuster = (
  pool: Pool,
  { announce }: Pick<ConversionRegistrarOptions, 'announce'>,
): ConversionAdjuster => {
  const adjust = onceEach(pool, {
    route: ({ isTest }: NewAdjustment) => (isTest ? 'test adjustment' : 'adjustment'),
    needsTransaction: true,
    async run(on, adjustments, afterCommit) {
      const { inserted, parcels } = await insertAdjustments(on, adjustments);
      if (parcels.length > 0) afterCommit(() => announce(parcels));
      return inserted;
    },
    schema: insertedAdjustmentSchema,
    isFinal: ({ kind }) => kind === 'created' || kind === 'repeated' || kind === 'retracted' || kind === 'too-many',
    accept(adjustment) {
      if (adjustment.kind !== 'created') throw refusalOfAdjustment(adjustment);
      return { id: adjustment.id, conversionId: adjustment.conversionId, traceParent: adjustment.traceParent };
    },
  });
  return async (mode, input, idempotencyKey) => {
    const { result, isRepeated } = await adjust({ item: newAdjustment(mode, input), idempotencyKey });
    return { ...result, isRepeated };
  };
};
