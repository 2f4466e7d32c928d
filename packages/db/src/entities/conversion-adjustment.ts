import { adjustmentKinds } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Conversion } from './conversion.ts';

const ConversionAdjustmentSchema = defineEntity({
  name: 'ConversionAdjustment',
  tableName: 'conversion_adjustment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    conversion: () => p.manyToOne(Conversion).ref(),
    isTest: p.boolean(),
    kind: p.enum(adjustmentKinds),
    /** The new total; 0 if it is retracted. */
    amount: p.decimal('string').precision(12).scale(2),
    /** The total before. */
    previousAmount: p.decimal('string').precision(12).scale(2),
    occurredAt: p.datetime(6),
    /** Null for tests. */
    externalReference: p.text().nullable(),
    /** The external reference of a test: independent of live references. */
    testReference: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [
    { properties: ['account', 'externalReference'] },
    {
      name: 'conversion_adjustment_test_reference_unique',
      properties: ['account', 'testReference'],
      where: 'test_reference is not null',
    },
  ],
  indexes: [{ properties: ['conversion', 'id'] }],
});

/**
 * A change of the total of a conversion; rows are never changed. The total now is that of the greatest id: adjustments
 * of one conversion are registered one after the other, under a lock of its row.
 */
export class ConversionAdjustment extends ConversionAdjustmentSchema.class {}
ConversionAdjustmentSchema.setClass(ConversionAdjustment);
