import { requiredText, webhookTopics, webhookTopicsSchema, webhookUrlMax } from '@leadback/domain';
import { z } from 'zod';
import { accountId } from './account-path.ts';

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
export const listWebhooksInput = z.object({ account: accountId });
export const listWebhooksReply = z.object({
  items: z.array(webhook),
  /** How many there may be of each mode. */
  max: z.number(),
});

/** `GET /api/accounts/:account/webhooks/:id`: a `webhook`. */
export const webhookPath = z.object({ account: accountId, id: z.coerce.number().int().min(1) });

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
export const rotateSecretInput = z.object({});
export const rotateSecretReply = z.object({
  /** Shown only now. */
  secret: z.string(),
  /** Until when requests are signed with the secret before, too. */
  previousUntil: z.string(),
});

/** `POST /api/accounts/:account/webhooks/:id/delete`: with the URL, the secret and what waits. */
export const deleteWebhookInput = z.object({});
export const deleteWebhookReply = z.object({ id: z.number() });

export type Webhook = z.output<typeof webhook>;
export type ListWebhooksReply = z.output<typeof listWebhooksReply>;
export type CreateWebhookInput = z.input<typeof createWebhookInput>;
export type CreateWebhookReply = z.output<typeof createWebhookReply>;
export type ChangeWebhookInput = z.input<typeof changeWebhookInput>;
export type RotateSecretReply = z.output<typeof rotateSecretReply>;
