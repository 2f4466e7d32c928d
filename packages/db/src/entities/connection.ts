import { connectionStates, type DestinationName, eventKinds, webhookTopics } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const PlatformConnectionSchema = defineEntity({
  name: 'PlatformConnection',
  tableName: 'platform_connection',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    /** An advertising platform of the registry, or `webhook`. */
    platform: p.text().$type<DestinationName>(),
    /** What people call it; null: as its destination. */
    label: p.text().nullable(),
    /** Where its settings lead, as the people of the platform name it; of a webhook the host, and nothing once it is deleted. */
    destination: p.text().default(''),
    settings: p.json<unknown>(),
    /** Encrypted with `SECRETS_KEY`, see encrypt.ts. */
    credentials: p.blob(),
    /** What it is told of: a platform of conversions and leads, a webhook of topics. Adjustments follow their conversions. */
    eventKinds: p
      .enum([...eventKinds, ...webhookTopics])
      .array()
      .default(['conversion']),
    /** By the partner's name for an event: what the platform calls it. */
    eventNames: p.json<Readonly<Record<string, string>>>().defaultRaw("'{}'"),
    state: p.enum(connectionStates).default('active'),
    stateReason: p.text().nullable(),
    /** Since when it has been in its state, by a trigger. */
    stateSince: p.datetime(6).defaultRaw('now()'),
    /** Grows by a trigger with every change of settings, event names or credentials and every resume, but not as its platform renews credentials: what was sent before says nothing of it. */
    version: p.integer().default(1),
    /** When an operator last resumed it. */
    resumedAt: p.datetime(6).nullable(),
    /** When an operator last entered credentials. */
    credentialsEnteredAt: p.datetime(6).defaultRaw('now()'),
    /** When those were read with which the platform has last issued others. */
    credentialsRenewedAt: p.datetime(6).nullable(),
    /** Of a webhook: the mode of the key that registered it, and of what it is told. Null for platforms: both modes. */
    isTest: p.boolean().nullable(),
    /** Of a webhook: when it last accepted a delivery, exact to an hour. */
    lastAcceptedAt: p.datetime(6).nullable(),
    /** Of a webhook whose URL has not answered a signed request yet: when it gets the next one. Nothing else is sent to it. */
    verifyAt: p.datetime(6).nullable(),
    verifyAttempts: p.smallint().default(0),
    /** Of a webhook: the delivery of its last test. */
    testDeliveryId: p.bigint('number').nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Its row stays: its deliveries refer to it. */
    deletedAt: p.datetime(6).nullable(),
  },
  uniques: [{ properties: ['account', 'id'] }],
  indexes: [
    {
      name: 'platform_connection_webhook_index',
      expression:
        "create index platform_connection_webhook_index on platform_connection (account_id) where platform = 'webhook'::text",
    },
    {
      name: 'platform_connection_unverified_index',
      expression:
        'create index platform_connection_unverified_index on platform_connection (verify_at) where verify_at is not null',
    },
  ],
  checks: [
    { name: 'platform_connection_mode_check', expression: "(platform = 'webhook'::text) = (is_test is not null)" },
    { name: 'platform_connection_any_event_check', expression: 'cardinality(event_kinds) > 0' },
    { name: 'platform_connection_event_names_check', expression: "jsonb_typeof(event_names) = 'object'::text" },
  ],
});

export class PlatformConnection extends PlatformConnectionSchema.class {}
PlatformConnectionSchema.setClass(PlatformConnection);

const ConnectionSettingsChangeSchema = defineEntity({
  name: 'ConnectionSettingsChange',
  tableName: 'connection_settings_change',
  properties: {
    connection: () => p.manyToOne(PlatformConnection).ref().primary().createForeignKeyConstraint(false),
    /** The last version of the connection with what follows. */
    version: p.integer().primary(),
    account: () => p.manyToOne(Account).ref(),
    settings: p.json<unknown>(),
    eventNames: p.json<unknown>(),
    changedAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
});

/** The settings of a connection before a change of them. Written by a trigger; rows are never changed. */
export class ConnectionSettingsChange extends ConnectionSettingsChangeSchema.class {}
ConnectionSettingsChangeSchema.setClass(ConnectionSettingsChange);
