import { defineEntity, p } from '@mikro-orm/core';

const PlatformQuotaSchema = defineEntity({
  name: 'PlatformQuota',
  tableName: 'platform_quota',
  properties: {
    name: p.text().primary(),
    /** The day, in the platform's time zone, that `used` counts. */
    day: p.date(),
    used: p.integer(),
    /** The time of the last slot taken; in the future while requests wait for their slots. */
    lastTurnAt: p.datetime(6),
  },
});

/** How much of a platform's quota all workers have used. */
export class PlatformQuota extends PlatformQuotaSchema.class {}
PlatformQuotaSchema.setClass(PlatformQuota);
