import type { Feedback } from '@leadback/db';
import {
  type AdjustmentKind,
  type EventKind,
  leadEventId,
  webhookEventId,
  type WebhookEventType,
} from '@leadback/domain';
import type { Loaded } from '@mikro-orm/core';

/** What must be loaded of a delivery to know its subject. */
export const withSubject = ['conversion', 'client', 'adjustment.conversion', 'webhookEvent'] as const;

interface Subject {
  readonly event: EventKind | AdjustmentKind | WebhookEventType;
  /** The conversion, or that of the adjustment; null: it reports something else. */
  readonly conversionId: number | null;
  readonly adjustmentId: number | null;
  /** The client that was registered; null: it reports something else. */
  readonly clientId: number | null;
  readonly isTest: boolean;
  readonly occurredAt: Date;
  /** The same value as is sent to the platform or webhook. */
  readonly eventId: string;
}

/** What a delivery reports. `installationId`: of this database. */
export const subjectOf = (
  {
    id,
    conversion,
    client,
    adjustment,
    webhookEvent,
    isTest: isTestDelivery,
  }: Loaded<Feedback, (typeof withSubject)[number]>,
  installationId: string,
): Subject => {
  if (client) {
    const { id: clientId, isTest, createdAt: occurredAt } = client.$;
    const eventId = leadEventId(installationId, clientId, isTest);
    return { event: 'lead', conversionId: null, adjustmentId: null, clientId, isTest, occurredAt, eventId };
  }
  if (webhookEvent) {
    const { id: eventNumber, type: event, createdAt: occurredAt } = webhookEvent.$;
    const eventId = webhookEventId(installationId, eventNumber);
    const others = { conversionId: null, adjustmentId: null, clientId: null };
    return { event, ...others, isTest: isTestDelivery, occurredAt, eventId };
  }
  const reported = conversion?.$ ?? adjustment?.$.conversion.$;
  if (!reported) throw new Error(`feedback ${id} reports nothing`);
  return {
    event: adjustment?.$.kind ?? 'conversion',
    conversionId: reported.id,
    adjustmentId: adjustment?.$.id ?? null,
    clientId: null,
    isTest: reported.isTest,
    occurredAt: adjustment?.$.occurredAt ?? reported.occurredAt ?? reported.createdAt,
    eventId: reported.eventId ?? String(reported.id),
  };
};
