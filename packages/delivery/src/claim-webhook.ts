import { webhookEventId, type WebhookMessage } from '@leadback/domain';
import type { ClaimedRow } from './claimed.ts';
import { msOf } from './milliseconds.ts';

/** SQL: the webhook event of a delivery f; no row if the delivery has another subject. */
export const webhookEventOf = `(
       select * from webhook_event where id = f.webhook_event_id and account_id + 0 = f.account_id limit 1)`;

/** SQL: the columns of a `ClaimedRow` about a webhook event w. */
export const webhookColumns = `w.id as webhook_event_id, w.type as webhook_type, w.data as webhook_data,
            ${msOf('w.created_at')} as webhook_ms`;

/** Undefined if the delivery has another subject. */
export const webhookMessageOf = (row: ClaimedRow): WebhookMessage | undefined => {
  const { webhook_event_id: id, webhook_type: type, webhook_data: data, webhook_ms: ms } = row;
  if (id === null || type === null || data === null || ms === null) return undefined;
  return { kind: 'webhook', eventId: webhookEventId(row.installation_id, id), type, occurredAt: new Date(ms), data };
};
