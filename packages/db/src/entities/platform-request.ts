import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { PlatformConnection } from './platform-connection.ts';

const PlatformRequestSchema = defineEntity({
  name: 'PlatformRequest',
  tableName: 'platform_request',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    connection: () => p.manyToOne(PlatformConnection).ref().createForeignKeyConstraint(false),
    /** The platform's id of the request. */
    name: p.text(),
    /** When to check the request status next; null once it is final. */
    lookAt: p.datetime(6).nullable(),
    looks: p.integer().default(0),
    verdict: p.json<unknown>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ properties: ['connection', 'name'] }],
  indexes: [{ properties: ['connection', 'lookAt'], where: 'look_at is not null' }],
});

/** A request that a platform accepted and whose status it reports later. Attempts refer to it by name. */
export class PlatformRequest extends PlatformRequestSchema.class {}
PlatformRequestSchema.setClass(PlatformRequest);
