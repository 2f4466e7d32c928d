import { attemptOutcomes, feedbackStates, webhookEventTypes } from '@leadback/domain';
import { z } from 'zod';
import { webhookPath } from './webhooks.ts';

export const webhookDeliveriesPerPage = 50;

/** `GET /api/accounts/:account/webhooks/:id/deliveries`: of the last 30 days, newest first. */
export const webhookDeliveriesInput = webhookPath.extend({
  state: z.enum(feedbackStates).optional(),
  /** `next` of the page before; also one more than the id of a delivery, to read it first. */
  after: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(webhookDeliveriesPerPage).default(webhookDeliveriesPerPage),
});

export const webhookDelivery = z.object({
  id: z.number(),
  /** The header `webhook-id`. */
  messageId: z.string(),
  type: z.enum(webhookEventTypes),
  /** As in the body of the request. */
  data: z.record(z.string(), z.unknown()),
  state: z.enum(feedbackStates),
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

export const webhookDeliveriesReply = z.object({
  /** With `state`, may be fewer than the limit, even none, although there are more. */
  items: z.array(webhookDelivery),
  /** For `after`; null: no more. */
  next: z.number().nullable(),
});

/** `POST /api/accounts/:account/webhooks/:id/test` → 202: a test event is sent within seconds. */
export const testWebhookInput = z.object({});
/** `POST /api/accounts/:account/webhooks/:id/retry` → 202: the same event, also one that was accepted. */
export const retryWebhookDeliveryInput = z.object({ deliveryId: z.number().int().min(1) });
export const webhookSentReply = z.object({ deliveryId: z.number() });

export type WebhookDelivery = z.output<typeof webhookDelivery>;
export type WebhookDeliveriesReply = z.output<typeof webhookDeliveriesReply>;
export type WebhookSentReply = z.output<typeof webhookSentReply>;
