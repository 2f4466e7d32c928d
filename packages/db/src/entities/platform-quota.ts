import { defineEntity, p } from '@mikro-orm/core';

const PlatformQuotaSchema = defineEntity({
  name: 'PlatformQuota',
  tableName: 'platform_quota',
  properties: {
    name: p.text().primary(),
    /** The platform's day that `used` counts. */
    day: p.date(),
    used: p.integer(),
    /** When the last request that was let through may go; later than now while others wait for their turn. */
    lastTurnAt: p.datetime(6),
  },
});

/** How much is used of what a platform allows, by all workers together. */
export class PlatformQuota extends PlatformQuotaSchema.class {}
PlatformQuotaSchema.setClass(PlatformQuota);
