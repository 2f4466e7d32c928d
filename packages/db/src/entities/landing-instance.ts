import { defineEntity, p } from '@mikro-orm/core';

const LandingInstanceSchema = defineEntity({
  name: 'LandingInstance',
  tableName: 'landing_instance',
  properties: {
    id: p.text().primary(),
    seenAt: p.datetime(6).defaultRaw('now()'),
    /** Whether it knows of leads that are not written yet. */
    isBehind: p.boolean(),
    /** The folder on whose disk it may hold leads; null where it has ended without any there. */
    spool: p.text().nullable(),
    /** It receives X-Forwarded-For but trusts no proxy: it takes the proxy's address for the visitor's. */
    ignoresProxy: p.boolean().default(false),
  },
});

/** A running landing app. One that has not been seen for some seconds may hold leads that it cannot write. */
export class LandingInstance extends LandingInstanceSchema.class {}
LandingInstanceSchema.setClass(LandingInstance);
