import {
  type AttemptOutcome,
  attemptOutcomes,
  type DeliveryState,
  webhookEventId,
  type WebhookEventType,
} from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import { z } from 'zod';
import { nextAttemptOf } from '../delivery/enqueue.ts';
import { findWebhook, type WebhookOwner } from './webhooks.ts';

export interface WebhookAttempt {
  readonly at: Date;
  readonly outcome: AttemptOutcome;
  /** Null: there was no response. */
  readonly httpStatus: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
}

export interface WebhookDelivery {
  readonly id: number;
  /** The header `webhook-id`. */
  readonly messageId: string;
  readonly type: WebhookEventType;
  /** As sent. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly state: DeliveryState;
  readonly reason: string | null;
  /** Oldest first. */
  readonly attempts: readonly WebhookAttempt[];
  /** Null: there is none, it is being sent, or the webhook is paused. */
  readonly nextAttemptAt: Date | null;
  /** When what it tells happened. */
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

interface WebhookDeliveryFilter {
  /** Of the webhook. */
  readonly id: number;
  readonly state?: DeliveryState | undefined;
  /** The `next` of the page before. */
  readonly after?: number | undefined;
  readonly limit: number;
}

interface WebhookDeliveryPage {
  /** May be fewer than the limit although there are more. */
  readonly items: readonly WebhookDelivery[];
  readonly next: number | null;
}

interface Row extends Omit<WebhookDelivery, 'attempts' | 'messageId'> {
  eventId: number;
  installationId: string;
  isMatch: boolean;
  /** Whether the search ended here, although there may be more. */
  isEnd: boolean;
  attempts: unknown;
}

// The search ends after $4 deliveries, whatever their state, so that no page reads the whole log. $5: how many may match.
const list = statement<Row>(
  `select f.id, event.type, event.data, event.id as "eventId", (select id from installation) as "installationId",
          f.state, f.reason, event.created_at as "createdAt", f.closed_at as "closedAt",
          ${nextAttemptOf('c')} as "nextAttemptAt",
          f.is_match as "isMatch", f.place = $4 as "isEnd", attempt.attempts
   from (
     select *, row_number() over (order by id desc) as place, state = coalesce($6, state) as is_match
     from (
       select id, account_id, connection_id, webhook_event_id, state, reason, closed_at, parcel_id from delivery
       where connection_id = $1 and account_id = $2 and id < $3
         and coalesce(webhook_event_id, 0) > 0 -- in these words, the condition of the index
       order by connection_id desc, id desc limit $4
     ) newest
   ) f
   join webhook_event event on event.id = f.webhook_event_id
   join platform_connection c on c.id = f.connection_id
   cross join lateral (
     select coalesce(json_agg(json_build_object('at', created_at, 'outcome', outcome, 'httpStatus', http_status,
                                                'reason', reason,
                                                -- how long no response took would tell what is at an address
                                                'durationMs', case when http_status is null then 0 else duration_ms end) order by id), '[]') as attempts
     from delivery_attempt where delivery_id = f.id and account_id = f.account_id
   ) attempt
   where f.is_match or f.place = $4
   order by f.id desc limit $5`,
);

const attemptsSchema: z.ZodType<readonly WebhookAttempt[]> = z.array(
  z.object({
    at: z.coerce.date(),
    outcome: z.enum(attemptOutcomes),
    httpStatus: z.int().nullable(),
    reason: z.string().nullable(),
    durationMs: z.int(),
  }),
);

/** Newest first. `readMax`: how many deliveries a page may read to find those in a state. Throws `not-found.webhook`. */
export const listWebhookDeliveries = async (
  on: Queryable,
  owner: WebhookOwner,
  { id, state, after = Number.MAX_SAFE_INTEGER, limit }: WebhookDeliveryFilter,
  readMax = 2_000,
): Promise<WebhookDeliveryPage> => {
  await findWebhook(on, owner, id);
  const rows = await list(on, [id, owner.accountId, after, readMax, limit, state ?? null]);
  const items = rows
    .filter(({ isMatch }) => isMatch)
    .map(({ isMatch: _isMatch, isEnd: _isEnd, eventId, installationId, attempts, ...same }) => ({
      ...same,
      messageId: webhookEventId(installationId, eventId),
      attempts: attemptsSchema.parse(attempts),
    }));
  const last = rows.at(-1);
  return { items, next: last && (last.isEnd || rows.length === limit) ? last.id : null };
};
