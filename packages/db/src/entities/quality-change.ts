import { defineEntity, p } from '@mikro-orm/core';

const QualityChangeSchema = defineEntity({
  name: 'QualityChange',
  tableName: 'quality_change',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    day: p.date(),
    platform: p.text(),
    state: p.text(),
    reason: p.text(),
    matchKeys: p.integer(),
    change: p.bigint('number'),
  },
  indexes: [{ properties: ['accountId', 'day'] }],
});

/** A change of `quality_day` by one statement. Written by a trigger only, so it has no foreign keys to check. */
export class QualityChange extends QualityChangeSchema.class {}
QualityChangeSchema.setClass(QualityChange);
