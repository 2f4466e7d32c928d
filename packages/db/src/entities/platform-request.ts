import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { PlatformConnection } from './platform-connection.ts';

const PlatformRequestSchema = defineEntity({
  name: 'PlatformRequest',
  tableName: 'platform_request',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    connection: () => p.manyToOne(PlatformConnection).ref(),
    /** By which the platform knows it. */
    name: p.text(),
    /** When to ask what became of it; null once that is known. */
    lookAt: p.datetime(6).nullable(),
    looks: p.integer().default(0),
    verdict: p.json<unknown>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ properties: ['connection', 'name'] }],
  indexes: [{ properties: ['lookAt'], where: 'look_at is not null' }],
});

/** A request that a platform has taken, and of which it says only later what became. Attempts name theirs. */
export class PlatformRequest extends PlatformRequestSchema.class {}
PlatformRequestSchema.setClass(PlatformRequest);
