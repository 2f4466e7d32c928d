import { webhookEventTypes } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';

const WebhookEventSchema = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    /** Null: it is about a connection, which has no mode. */
    isTest: p.boolean().nullable(),
    type: p.enum(webhookEventTypes),
    /** Ids and states, as sent; no personal data and no references of partners. */
    data: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** What partners are told by webhook, if they have one for it. Deliveries of an account's webhooks share the event. */
export class WebhookEvent extends WebhookEventSchema.class {}
WebhookEventSchema.setClass(WebhookEvent);
