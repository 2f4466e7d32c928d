import { type Conversion, ConversionAdjustment, type EntityManager } from '@leadback/db';
import type { AdjustmentKind } from '@leadback/domain';
import { saved } from './saved.ts';

interface AdjustmentOptions {
  readonly conversion: Conversion;
  readonly kind?: AdjustmentKind;
  /** The new total; default: 0. */
  readonly amount?: string;
  /** Default: the original amount. */
  readonly previousAmount?: string;
  /** Default: now. */
  readonly occurredAt?: Date;
}

/** An adjustment without deliveries. */
export const givenAdjustment = (
  em: EntityManager,
  { conversion, amount = '0.00', kind = 'retract', previousAmount, occurredAt = new Date() }: AdjustmentOptions,
): Promise<ConversionAdjustment> =>
  saved(
    em,
    em.create(ConversionAdjustment, {
      account: conversion.account,
      conversion,
      isTest: conversion.isTest,
      kind,
      amount,
      previousAmount: previousAmount ?? conversion.amount,
      occurredAt,
    }),
  );
