import { z } from 'zod';
import type { AttributedEvent } from './delivery.ts';

/** The settings of a webhook, as stored with its connection. */
export const webhookSettingsSchema = z.object({ url: z.url() });

const secret = z.string().startsWith('whsec_');

/**
 * The credentials of a webhook, as stored encrypted. `whsec_` and base64. After a rotation the secrets before sign as
 * well, each until a time (by the clock of the worker, which also gives each attempt its time). There are several if the
 * partner rotates again, as after a lost response: its receiver may still know the first one alone.
 */
export const webhookCredentialsSchema = z.object({
  secret,
  /** Newest first. */
  earlier: z.array(z.object({ secret, until: z.iso.datetime() })).optional(),
});
export type WebhookCredentials = z.infer<typeof webhookCredentialsSchema>;

/** Why Leadback has paused a webhook (`state_reason`); without one, the partner or an operator has. */
export const webhookPauses = {
  /** It responded with 410. */
  gone: 'gone',
  /** It accepted nothing for three days. */
  failing: 'failing',
  /** For three days, what is stored of it could not be read. */
  unreadable: 'unreadable',
} as const;

/** How many webhooks an account may have of each mode. */
export const webhooksMax = 10;

/** What partners choose to be told of by webhook. */
export const webhookTopics = [
  'delivery.delivered',
  'delivery.failed',
  'delivery.skipped',
  'connection.needs_attention',
  'connection.recovered',
  'import.finished',
  'reconciliation.finished',
  'page.target_changed',
  'domain.state_changed',
] as const;
export type WebhookTopic = (typeof webhookTopics)[number];

/** The types of webhook events. webhook.test: when the partner asks for it, to one webhook, whatever its topics. */
export const webhookEventTypes = [...webhookTopics, 'webhook.test'] as const;
/** Sent to a URL until it has answered with 2xx, before anything else. It is no delivery, and in no log. */
export const webhookVerification = 'webhook.verification';

export type WebhookEventType = (typeof webhookEventTypes)[number];

export const webhookUrlMax = 2_000;

/** What a caller chooses to be told of. */
export const webhookTopicsSchema = z
  .array(z.enum(webhookTopics, `expected ${webhookTopics.join(', ')}`), 'expected a list of events')
  .min(1, 'must not be empty');

/** What a webhook is told. */
export interface WebhookMessage {
  readonly kind: 'webhook';
  /** The `webhook-id`: the same on every attempt and for every webhook that is told of the event. */
  readonly eventId: string;
  readonly type: WebhookEventType | typeof webhookVerification;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a delivery reports. */
export type DeliverableEvent = AttributedEvent | WebhookMessage;

/** Unique across installations. Without a full stop, which Standard Webhooks sign between the id and the time. */
export const webhookEventId = (installationId: string, id: number): string =>
  `evt_${installationId.replaceAll('-', '')}_${id}`;
