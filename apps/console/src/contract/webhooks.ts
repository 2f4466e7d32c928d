import {
  attemptOutcomes,
  deliveryStates,
  requiredText,
  webhookEventTypes,
  webhookTopics,
  webhookTopicsSchema,
  webhookUrlMax,
} from '@leadback/domain';
import { z } from 'zod';
import { pageOf, rowId } from './values.ts';

const states = ['active', 'paused'] as const;

export const webhook = z.object({
  id: z.number(),
  url: z.string(),
  events: z.array(z.enum(webhookTopics)),
  /** Told of tests, and of nothing else. */
  isTest: z.boolean(),
  state: z.enum(states),
  /** Whether its URL has answered a signed test with 2xx; nothing else is sent to it before. */
  isVerified: z.boolean(),
  /** Why Leadback has paused it: `gone`, `failing`, `unreadable`, or what is wrong; `unverified: …`; null: active, or paused by a person. */
  reason: z.string().nullable(),
  /** ISO 8601, as all times. */
  createdAt: z.string(),
  /** To the hour; null: it has accepted nothing yet. */
  lastAcceptedAt: z.string().nullable(),
});

/** `GET /api/accounts/:account/webhooks`: of both modes, oldest first, live ones first. */
export const listWebhooksReply = z.object({
  items: z.array(webhook),
  /** How many there may be of each mode. */
  max: z.number(),
});

const events = webhookTopicsSchema.transform((topics) => [...new Set(topics)]);
const url = requiredText(webhookUrlMax);

/** `POST /api/accounts/:account/webhooks` → 201; needs a second factor. 400: the URL is refused, and the message says why. */
export const createWebhookInput = z.object({ url, events, isTest: z.boolean() });
export const createWebhookReply = z.object({
  id: z.number(),
  /** Shown only now. */
  secret: z.string(),
});

/** `POST /api/accounts/:account/webhooks/:id`: changes what is sent → the `webhook` as it is now. */
export const changeWebhookInput = z.object({
  url: url.optional(),
  events: events.optional(),
  state: z.enum(states).optional(),
});

/** `POST /api/accounts/:account/webhooks/:id/secret` → a new one; needs a second factor. */
export const rotateSecretReply = z.object({
  /** Shown only now. */
  secret: z.string(),
  /** Until when requests are signed with the secret before, too. */
  previousUntil: z.string(),
});

/** `POST /api/accounts/:account/webhooks/:id/delete`: with the URL, the secret and what waits. */
export const deleteWebhookReply = z.object({ id: z.number() });

export type Webhook = z.output<typeof webhook>;
export type ListWebhooksReply = z.output<typeof listWebhooksReply>;
export type CreateWebhookInput = z.input<typeof createWebhookInput>;
export type CreateWebhookReply = z.output<typeof createWebhookReply>;
export type ChangeWebhookInput = z.input<typeof changeWebhookInput>;
export type RotateSecretReply = z.output<typeof rotateSecretReply>;

const webhookDeliveriesPerPage = 50;

/** `GET /api/accounts/:account/webhooks/:id/deliveries`: of the last 30 days, newest first. */
export const webhookDeliveriesInput = z.object({
  state: z.enum(deliveryStates).optional(),
  /** `next` of the page before; also one more than the id of a delivery, to read it first. */
  after: rowId.optional(),
  limit: z.coerce.number().int().min(1).max(webhookDeliveriesPerPage).default(webhookDeliveriesPerPage),
});

const webhookDelivery = z.object({
  id: z.number(),
  /** The header `webhook-id`. */
  messageId: z.string(),
  type: z.enum(webhookEventTypes),
  /** As in the body of the request. */
  data: z.record(z.string(), z.unknown()),
  state: z.enum(deliveryStates),
  reason: z.string().nullable(),
  /** Oldest first. `requeued`: not an attempt, but a retry that was asked for. */
  attempts: z.array(
    z.object({
      at: z.string(),
      outcome: z.enum(attemptOutcomes),
      /** Null: there was no response. */
      httpStatus: z.number().nullable(),
      reason: z.string().nullable(),
      durationMs: z.number(),
    }),
  ),
  /** Null: there is none, or the webhook is paused. */
  nextAttemptAt: z.string().nullable(),
  createdAt: z.string(),
  closedAt: z.string().nullable(),
});

export const webhookDeliveriesReply = pageOf(webhookDelivery);

/** `POST /api/accounts/:account/webhooks/:id/retry` → 202: the same event, also one that was accepted. */
export const retryWebhookDeliveryInput = z.object({ deliveryId: z.number().int().min(1) });
/** Also of `POST /api/accounts/:account/webhooks/:id/test`: a test event is sent within seconds. */
export const webhookSentReply = z.object({ deliveryId: z.number() });

export type WebhookDelivery = z.output<typeof webhookDelivery>;
export type WebhookDeliveriesReply = z.output<typeof webhookDeliveriesReply>;
export type WebhookSentReply = z.output<typeof webhookSentReply>;
