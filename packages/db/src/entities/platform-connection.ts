import { connectionStates, type PlatformName } from '@leadback/domain';
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
    state: p.enum(connectionStates).default('active'),
    stateReason: p.text().nullable(),
    /** Grows by a trigger with every change of settings or credentials and every resume: what was sent before says nothing of it. */
    version: p.integer().default(1),
    /** When an operator last resumed it. */
    resumedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class PlatformConnection extends PlatformConnectionSchema.class {}
PlatformConnectionSchema.setClass(PlatformConnection);
