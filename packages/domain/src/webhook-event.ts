/** What partners choose to be told of by webhook. */
export const webhookTopics = [
  'feedback.delivered',
  'feedback.failed',
  'feedback.skipped',
  'connection.needs_attention',
  'connection.recovered',
  'import.finished',
  'reconciliation.finished',
] as const;
export type WebhookTopic = (typeof webhookTopics)[number];

/** The types of webhook events. webhook.test: when the partner asks for it, to one webhook, whatever its topics. */
export const webhookEventTypes = [...webhookTopics, 'webhook.test'] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];
