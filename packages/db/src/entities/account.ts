import {
  accountStatuses,
  attributions,
  currencySchema,
  erasedPersonsChoices,
  gpcReadings,
  keyScopeSchema,
} from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';

const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.text(),
    status: p.enum(accountStatuses).default('active'),
    /** ISO 3166-1 alpha-2: the country of phone numbers in national format. */
    country: p.string().length(2).default('AR'),
    /** Requests per second and key. */
    rateLimit: p.integer().default(200),
    gpcReading: p.enum(gpcReadings).default('respect'),
    /** Encrypted. Null: the account was forgotten. */
    dataKey: p.blob().nullable(),
    erasedPersons: p.enum(erasedPersonsChoices).default('allow'),
    /** Suspended for abuse: its pages are hidden, whether they are on or off. */
    hidesPages: p.boolean().default(false),
    attribution: p.enum(attributions).default('last'),
    /** Of the event ids of its conversions. Empty: none. */
    eventIdPrefix: p.text().default(''),
    /** Those in which it may register sales; the first is shown first. */
    currencies: p
      .array((currency) => currencySchema.parse(currency))
      .columnType('text[]')
      .defaultRaw(`'{USD,ARS}'`),
    /** An IANA name: in which its days begin. Changed by `change_time_zone` alone, which counts its days again. */
    timeZone: p.text().default('UTC'),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'account_currencies_check', expression: 'cardinality(currencies) > 0' }],
});

export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);

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

// one row, created by the migration
const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    /** The system and the timeline of PostgreSQL, such as `7712026909806147533/2`. Null: no app has connected yet. */
    server: p.text().nullable(),
    isOnly: p.boolean().default(true).unique(),
  },
  checks: [{ name: 'installation_is_only_check', expression: 'is_only' }],
});

/** Identifies this database among all that report to the same platforms. */
export class Installation extends InstallationSchema.class {}
InstallationSchema.setClass(Installation);

const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    route: p.text().primary(),
    /** Chosen by the caller. */
    key: p.text().primary(),
    /** SHA-256 of the request: the same key with another request is an error of the caller. */
    fingerprint: p.blob(),
    answer: p.json<unknown>(),
    createdAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord);
