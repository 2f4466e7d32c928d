import { keyScopeSchema } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    name: p.text(),
    /** SHA-256 of the key; the key itself is shown once and not stored. */
    keyHash: p.blob().unique(),
    prefix: p.text(),
    /** Conversions registered with this key are tests. */
    isTest: p.boolean().default(false),
    /** What it may do: `keyScopes`. */
    scopes: p
      .array((scope) => keyScopeSchema.parse(scope))
      .columnType('text[]')
      .defaultRaw(`'{read,register,erase}'`),
    createdAt: p.datetime(6).defaultRaw('now()'),
    expiresAt: p.datetime(6).nullable(),
    revokedAt: p.datetime(6).nullable(),
    /** The email of a person, or the user of the command line; null: before this was kept. */
    issuedBy: p.text().nullable(),
    lastUsedAt: p.datetime(6).nullable(),
  },
  checks: [
    {
      name: 'api_key_scopes_check',
      expression: `scopes <@ array['read', 'register', 'erase'] and cardinality(scopes) > 0`,
    },
  ],
});

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
