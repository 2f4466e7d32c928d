import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const QualityDaySchema = defineEntity({
  name: 'QualityDay',
  tableName: 'quality_day',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    /** In UTC; the day of the conversion. */
    day: p.date().primary(),
    platform: p.text().primary(),
    /** `delivered`, `failed` or `skipped`. */
    state: p.text().primary(),
    /** A code: the beginning of `feedback.reason`; empty if delivered. */
    reason: p.text().primary(),
    /** As `feedback.match_keys`; -1: null. */
    matchKeys: p.integer().primary(),
    deliveries: p.bigint('number'),
  },
});

/** How many closed deliveries of conversions ended alike, without the changes that are not rolled up yet. */
export class QualityDay extends QualityDaySchema.class {}
QualityDaySchema.setClass(QualityDay);
