import { webhookEventTypes, deliveryStates, attemptOutcomes } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Client } from './client.ts';
import { Conversion, ConversionAdjustment } from './conversion.ts';
import { PlatformConnection } from './connection.ts';

const WebhookEventSchema = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    /** Null: it is about a connection, which has no mode. */
    isTest: p.boolean().nullable(),
    type: p.enum(webhookEventTypes),
    /** Ids and states, as sent; no personal data, and of references of partners that of the conversion alone. */
    data: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** What partners are told by webhook, if they have one for it. Deliveries of an account's webhooks share the event. */
export class WebhookEvent extends WebhookEventSchema.class {}
WebhookEventSchema.setClass(WebhookEvent);

const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    /** What it reports: a conversion, a client, an adjustment or a webhook event. */
    conversion: () => p.manyToOne(Conversion).ref().nullable().createForeignKeyConstraint(false),
    client: () => p.manyToOne(Client).ref().nullable().createForeignKeyConstraint(false),
    adjustment: () => p.manyToOne(ConversionAdjustment).ref().nullable().createForeignKeyConstraint(false),
    webhookEvent: () => p.manyToOne(WebhookEvent).ref().nullable().createForeignKeyConstraint(false),
    connection: () => p.manyToOne(PlatformConnection).ref().createForeignKeyConstraint(false),
    state: p.enum(deliveryStates).default('pending'),
    /** Of what it reports: this and the next. */
    isTest: p.boolean().default(false),
    occurredAt: p.datetime(6).nullable(),
    /** The click that its platform is told of, if that is another one than the conversion's. */
    leadId: p.bigint('number').nullable(),
    /** The page and the campaign for which metrics count its conversion; null: it reports none. */
    landingPageId: p.bigint('number').nullable(),
    campaign: p.text().nullable(),
    /** The state, if it is failed or skipped. */
    undelivered: p
      .text()
      .nullable()
      .generated(
        "(CASE WHEN (state = ANY (ARRAY['failed'::text, 'skipped'::text])) THEN state ELSE NULL::text END) stored",
      ),
    /** The parcel of a pending delivery, see delivery.ts. */
    parcelId: p.bigint('number').nullable(),
    /** How often it was sent, not counting throttled attempts. */
    attempts: p.integer().default(0),
    /** How often the platform throttled it. */
    throttled: p.integer().default(0),
    reason: p.text().nullable(),
    /** What the platform reported later about the request that contained this event. */
    note: p.text().nullable(),
    /** The `MatchKeySet` of its event; null if none was built. */
    matchKeys: p.integer().nullable(),
    /** What the platform could not be told in full when it accepted the event. */
    eventNote: p.text().nullable(),
    /** The version of the connection with whose settings it was delivered; null: not delivered. */
    sentVersion: p.integer().nullable(),
    /**
     * Whether the platform used the event that it accepted, as the request status says; false: it did not, or did not say
     * so of this event. Null: not reported yet, or the platform never does, or it accepted no event.
     */
    isConfirmed: p.boolean().nullable(),
    /** Since when retries are counted; null: since it was created. */
    retriedSince: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    closedAt: p.datetime(6).nullable(),
  },
  uniques: [{ properties: ['conversion', 'connection'] }],
  indexes: [
    { name: 'delivery_listed_index', properties: ['account', 'id'] },
    // in these words, so that a delivery that is delivered changes no indexed column
    {
      name: 'delivery_ended_index',
      expression:
        'create index delivery_ended_index on delivery (account_id, connection_id, id) where undelivered is not null or note is not null',
    },
    {
      name: 'delivery_by_time_index',
      expression:
        'create index delivery_by_time_index on delivery (connection_id, is_test, occurred_at, conversion_id) where coalesce(conversion_id, 0) > 0',
    },
    {
      name: 'delivery_undelivered_by_time_index',
      expression:
        'create index delivery_undelivered_by_time_index on delivery (connection_id, is_test, undelivered, occurred_at, conversion_id) where undelivered is not null and coalesce(conversion_id, 0) > 0',
    },
    {
      name: 'delivery_webhook_log_index',
      expression:
        'create index delivery_webhook_log_index on delivery (connection_id, id) where coalesce(webhook_event_id, 0) > 0',
    },
    ...['adjustment_id', 'client_id', 'webhook_event_id'].map((subject) => {
      const name = `delivery_${subject}_connection_id_unique`;
      const on = `delivery (${subject}, connection_id) where ${subject} is not null`;
      return { name, expression: `create unique index ${name} on ${on}` };
    }),
  ],
  checks: [
    {
      name: 'delivery_subject_check',
      expression: 'num_nonnulls(conversion_id, client_id, adjustment_id, webhook_event_id) = 1',
    },
  ],
});

export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery);

const DeliveryAttemptSchema = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempt',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    delivery: () => p.manyToOne(Delivery).ref().createForeignKeyConstraint(false).index(),
    outcome: p.enum(attemptOutcomes),
    reason: p.text().nullable(),
    httpStatus: p.integer().nullable(),
    /** The platform's response: at most 2 KB, without secrets or personal data. */
    answer: p.text().nullable(),
    durationMs: p.integer(),
    /** The platform's id of the request, if it reports a request status. */
    platformRequest: p.text().nullable(),
    /** The position of the event in that request: platforms name events by it. */
    requestPosition: p.integer().nullable(),
    /** The table is partitioned by it, per month, so that old partitions can be dropped; hence part of the key. */
    createdAt: p.datetime(6).primary().defaultRaw('now()'),
  },
  indexes: [{ properties: ['platformRequest'], where: 'platform_request is not null' }],
});

export class DeliveryAttempt extends DeliveryAttemptSchema.class {}
DeliveryAttemptSchema.setClass(DeliveryAttempt);

const DeliveryDueSchema = defineEntity({
  name: 'DeliveryDue',
  tableName: 'delivery_due',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    connectionId: p.bigint('number'),
    isTest: p.boolean().default(false),
    /** 1-200 deliveries of one connection and mode. An open delivery is in exactly one parcel. */
    deliveryIds: p.array(Number).columnType('bigint[]'),
    phase: p.enum(['waiting', 'claimed']).default('waiting'),
    /** waiting: the earliest claim. claimed: the end of the lease. */
    notBefore: p.datetime(6).defaultRaw('now()'),
    /** How often it was claimed: what a worker that lost its claim says of it counts no more. */
    claim: p.integer().default(0),
    /** Leases in a row that ended without a settlement: their workers crashed. */
    claimsLost: p.integer().default(0),
    /** Since when the delivery that was retried longest has been retried. */
    retryFrom: p.datetime(6).defaultRaw('now()'),
    /** When the oldest sale in it occurred. */
    oldestAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { properties: ['connectionId', 'notBefore'] },
    { name: 'delivery_due_suspect_index', properties: ['notBefore'], where: 'claims_lost >= 2' },
  ],
});

/** A parcel of open deliveries. Closed deliveries are in no parcel. It has no foreign keys to check on each claim. */
export class DeliveryDue extends DeliveryDueSchema.class {}
DeliveryDueSchema.setClass(DeliveryDue);

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
    checkAt: p.datetime(6).nullable(),
    checks: p.integer().default(0),
    verdict: p.json<unknown>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ properties: ['connection', 'name'] }],
  indexes: [{ properties: ['connection', 'checkAt'], where: 'check_at is not null' }],
});

/** A request that a platform accepted and whose status it reports later. Attempts refer to it by name. */
export class PlatformRequest extends PlatformRequestSchema.class {}
PlatformRequestSchema.setClass(PlatformRequest);

const PlatformQuotaSchema = defineEntity({
  name: 'PlatformQuota',
  tableName: 'platform_quota',
  properties: {
    name: p.text().primary(),
    /** The day, in the platform's time zone, that `used` counts. */
    day: p.date(),
    used: p.integer(),
    /** The time of the last slot taken; in the future while requests wait for their slots. */
    lastSlotAt: p.datetime(6),
  },
});

/** How much of a platform's quota all workers have used. */
export class PlatformQuota extends PlatformQuotaSchema.class {}
PlatformQuotaSchema.setClass(PlatformQuota);
