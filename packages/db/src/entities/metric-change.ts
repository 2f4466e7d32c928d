import { defineEntity, p } from '@mikro-orm/core';

const MetricChangeSchema = defineEntity({
  name: 'MetricChange',
  tableName: 'metric_change',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    day: p.date(),
    landingPageId: p.bigint('number'),
    campaign: p.text(),
    measure: p.text(),
    change: p.decimal('string').precision(24).scale(2),
  },
});

/** A change of an account's metrics by one statement. Written by triggers only, so it has no foreign keys to check. */
export class MetricChange extends MetricChangeSchema.class {}
MetricChangeSchema.setClass(MetricChange);
