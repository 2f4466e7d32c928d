import type { AttributedEvent } from './attributed-event.ts';
import type { WebhookEventType, webhookVerification } from './webhook-event.ts';

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
