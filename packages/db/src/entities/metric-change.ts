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

/** What a statement has added to an account's metrics. Written by triggers; no keys to check, since nobody else writes it. */
export class MetricChange extends MetricChangeSchema.class {}
MetricChangeSchema.setClass(MetricChange);
