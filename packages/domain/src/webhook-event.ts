/** What partners choose to be told of by webhook. */
export const webhookTopics = [
  'feedback.delivered',
  'feedback.failed',
  'feedback.skipped',
  'connection.needs_attention',
  'connection.recovered',
  'import.finished',
  'reconciliation.finished',
  'page.target_changed',
] as const;
export type WebhookTopic = (typeof webhookTopics)[number];

/** The types of webhook events. webhook.test: when the partner asks for it, to one webhook, whatever its topics. */
export const webhookEventTypes = [...webhookTopics, 'webhook.test'] as const;
/** Sent to a URL until it has answered with 2xx, before anything else. It is no delivery, and in no log. */
export const webhookVerification = 'webhook.verification';

export type WebhookEventType = (typeof webhookEventTypes)[number];
