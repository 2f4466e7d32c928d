import { defineEntity, p } from '@mikro-orm/core';

const LandingInstanceSchema = defineEntity({
  name: 'LandingInstance',
  tableName: 'landing_instance',
  properties: {
    id: p.text().primary(),
    seenAt: p.datetime(6).defaultRaw('now()'),
    /** Whether it holds leads that are not written yet. */
    isBehind: p.boolean(),
    /** The folder in which it may hold leads; null if it stopped with none there. */
    spool: p.text().nullable(),
    /** It receives X-Forwarded-For but trusts no proxy, so it records the proxy's IP address as the visitor's. */
    ignoresProxy: p.boolean().default(false),
    /** Most of its requests come from a proxy that ends TLS but is not trusted: cookies lack `Secure`. */
    missesTls: p.boolean().default(false),
  },
});

/** A running landing app. One that has not been seen for some seconds may hold leads that it cannot write. */
export class LandingInstance extends LandingInstanceSchema.class {}
LandingInstanceSchema.setClass(LandingInstance);
