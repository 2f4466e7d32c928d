import { connectionStates, platformNames } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const PlatformConnectionSchema = defineEntity({
  name: 'PlatformConnection',
  tableName: 'platform_connection',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    platform: p.enum(platformNames),
    settings: p.json<unknown>(),
    /** Encrypted with `SECRETS_KEY`, see encrypted-credentials.ts. */
    credentials: p.blob(),
    state: p.enum(connectionStates).default('active'),
    stateReason: p.text().nullable(),
    /** When an operator last resumed it. */
    resumedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class PlatformConnection extends PlatformConnectionSchema.class {}
PlatformConnectionSchema.setClass(PlatformConnection);
