import { feedbackStates } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Client } from './client.ts';
import { Conversion } from './conversion.ts';
import { ConversionAdjustment } from './conversion-adjustment.ts';
import { PlatformConnection } from './platform-connection.ts';
import { WebhookEvent } from './webhook-event.ts';

const FeedbackSchema = defineEntity({
  name: 'Feedback',
  tableName: 'feedback',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    /** What it reports: a conversion, a client, an adjustment or a webhook event. */
    conversion: () => p.manyToOne(Conversion).ref().nullable().createForeignKeyConstraint(false),
    client: () => p.manyToOne(Client).ref().nullable().createForeignKeyConstraint(false),
    adjustment: () => p.manyToOne(ConversionAdjustment).ref().nullable().createForeignKeyConstraint(false),
    webhookEvent: () => p.manyToOne(WebhookEvent).ref().nullable().createForeignKeyConstraint(false),
    connection: () => p.manyToOne(PlatformConnection).ref().createForeignKeyConstraint(false),
    state: p.enum(feedbackStates).default('pending'),
    /** Of what it reports: this and the next. */
    isTest: p.boolean().default(false),
    occurredAt: p.datetime(6).nullable(),
    /** The page and the campaign for which metrics count its conversion; null: as for conversions, or it reports none. */
    landingPageId: p.bigint('number').nullable(),
    campaign: p.text().nullable(),
    /** The state, if it is failed or skipped. Written by a trigger. */
    undelivered: p.text().nullable(),
    /** The parcel of a pending delivery, see feedback-due.ts. */
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
    /** The version of the connection with whose settings it was delivered; null: not delivered, or by an earlier app. */
    sentVersion: p.integer().nullable(),
    /** Whether the request status says that the platform used the event; null: it has not said, or the platform never does. */
    isConfirmed: p.boolean().nullable(),
    /** Since when retries are counted; null: since it was created. */
    retriedSince: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    closedAt: p.datetime(6).nullable(),
    /** This and the next two: for apps of the version before parcels alone; a later version drops them. */
    dueAt: p.datetime(6).defaultRaw("(now() + '100 years'::interval)"),
    heldUntil: p.datetime(6).defaultRaw('now()'),
    claimsUnfinished: p.integer().default(0),
  },
  uniques: [{ properties: ['conversion', 'connection'] }],
  indexes: [
    { name: 'feedback_listed_index', properties: ['account', 'id'] },
    // in these words, so that a delivery that is delivered changes no indexed column
    {
      name: 'feedback_ended_index',
      expression:
        'create index feedback_ended_index on feedback (account_id, connection_id, id) where undelivered is not null or note is not null',
    },
    {
      name: 'feedback_by_time_index',
      expression:
        'create index feedback_by_time_index on feedback (connection_id, is_test, occurred_at, conversion_id) where coalesce(conversion_id, 0) > 0',
    },
    {
      name: 'feedback_undelivered_by_time_index',
      expression:
        'create index feedback_undelivered_by_time_index on feedback (connection_id, is_test, undelivered, occurred_at, conversion_id) where undelivered is not null and coalesce(conversion_id, 0) > 0',
    },
    {
      name: 'feedback_webhook_log_index',
      expression:
        'create index feedback_webhook_log_index on feedback (connection_id, id) where coalesce(webhook_event_id, 0) > 0',
    },
    ...['adjustment_id', 'client_id', 'webhook_event_id'].map((subject) => {
      const name = `feedback_${subject}_connection_id_unique`;
      const on = `feedback (${subject}, connection_id) where ${subject} is not null`;
      return { name, expression: `create unique index ${name} on ${on}` };
    }),
  ],
  checks: [
    {
      name: 'feedback_subject_check',
      expression: 'num_nonnulls(conversion_id, client_id, adjustment_id, webhook_event_id) = 1',
    },
  ],
});

export class Feedback extends FeedbackSchema.class {}
FeedbackSchema.setClass(Feedback);
