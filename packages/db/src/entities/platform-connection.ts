import { connectionStates, eventKinds, type PlatformName } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const PlatformConnectionSchema = defineEntity({
  name: 'PlatformConnection',
  tableName: 'platform_connection',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    /** The registry of platforms knows which exist. */
    platform: p.text().$type<PlatformName>(),
    settings: p.json<unknown>(),
    /** Encrypted with `SECRETS_KEY`, see encrypted-credentials.ts. */
    credentials: p.blob(),
    /** What it is told of. Adjustments follow their conversions. */
    eventKinds: p.enum(eventKinds).array().default(['conversion']),
    /** By the partner's name for an event: what the platform calls it. */
    eventNames: p.json<Readonly<Record<string, string>>>().defaultRaw("'{}'"),
    state: p.enum(connectionStates).default('active'),
    stateReason: p.text().nullable(),
    /** Grows by a trigger with every change of settings, event names or credentials and every resume: what was sent before says nothing of it. */
    version: p.integer().default(1),
    /** When an operator last resumed it. */
    resumedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [
    { name: 'platform_connection_any_event_check', expression: 'cardinality(event_kinds) > 0' },
    { name: 'platform_connection_event_names_check', expression: "jsonb_typeof(event_names) = 'object'::text" },
  ],
});

export class PlatformConnection extends PlatformConnectionSchema.class {}
PlatformConnectionSchema.setClass(PlatformConnection);
