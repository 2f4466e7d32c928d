import {
  type AccountMode,
  type AttemptOutcome,
  attemptOutcomes,
  type DeliveryState,
  webhookDeleted,
  webhookEventId,
  type WebhookEventType,
} from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { z } from 'zod';

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
  /** Null: there is none, or the webhook is paused. */
  readonly nextAttemptAt: Date | null;
  /** When what it tells happened. */
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

export interface WebhookDeliveryFilter {
  /** Of the webhook. */
  readonly id: number;
  readonly state?: DeliveryState | undefined;
  /** The `next` of the page before. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface WebhookDeliveryPage {
  /** May be fewer than the limit although there are more. */
  readonly items: readonly WebhookDelivery[];
  readonly next: number | null;
}

const findWebhook = preparedStatement(
  'find-webhook',
  `select id from platform_connection
   where id = $1 and account_id + 0 = $2 and is_test = $3 and platform = 'webhook'
     and state_reason is distinct from '${webhookDeleted}'`,
);

interface Row extends Omit<WebhookDelivery, 'attempts' | 'messageId'> {
  eventId: number;
  installationId: string;
  isMatch: boolean;
  /** Whether the search ended here, although there may be more. */
  isEnd: boolean;
  attempts: unknown;
}

// The search ends after $4 deliveries, whatever their state, so that no page reads the whole log. $5: how many may match.
//
// PostgreSQL would read the whole log and sort it if it knew how many are wanted, or expected few: see conversions.ts. So the
// account is compared afterwards.
const list = preparedStatement<Row>(
  'list-webhook-deliveries',
  `select f.id, event.type, event.data, event.id as "eventId", (select id from installation) as "installationId",
          f.state, f.reason, event.created_at as "createdAt", f.closed_at as "closedAt",
          case when connection.state = 'active' and connection.verify_at is null then due.not_before end as "nextAttemptAt",
          f.state = coalesce($6, f.state) as "isMatch", f.is_end as "isEnd", attempt.attempts
   from (
     select * from (
       select newest.*, row_number() over (order by newest.id desc) = wanted.rows_max as is_end
       from (select $4::int as rows_max offset 0) wanted
       cross join lateral (
         select id, account_id, connection_id, webhook_event_id, state, reason, closed_at, parcel_id from delivery
         where (connection_id, id) < ($1::bigint, $3::bigint) and (connection_id, id) > ($1::bigint, 0)
           and coalesce(webhook_event_id, 0) > 0 -- in these words, the condition of the index
         order by connection_id desc, id desc limit wanted.rows_max
       ) newest
       where account_id = $2
     ) numbered
     where state = coalesce($6, state) or is_end order by id desc limit $5
   ) f
   cross join lateral (select id, type, data, created_at from webhook_event where id = f.webhook_event_id limit 1) event
   cross join lateral (
     select state, verify_at from platform_connection where id = f.connection_id and account_id + 0 = f.account_id limit 1
   ) connection
   left join lateral (
     select not_before from delivery_due
     where id = f.parcel_id and account_id + 0 = f.account_id and f.state = 'pending' limit 1
   ) due on true
   cross join lateral (
     select coalesce(json_agg(json_build_object('at', created_at, 'outcome', outcome, 'httpStatus', http_status,
                                                'reason', reason,
                                                -- how long no response took would tell what is at an address
                                                'durationMs', case when http_status is null then 0 else duration_ms end) order by id), '[]') as attempts
     from (select * from delivery_attempt where delivery_id = f.id and account_id + 0 = f.account_id offset 0) its
   ) attempt
   order by f.id desc`,
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

/** Newest first; undefined if the account has no such webhook in this mode. */
export type WebhookDeliveryLister = (
  mode: AccountMode,
  filter: WebhookDeliveryFilter,
) => Promise<WebhookDeliveryPage | undefined>;

/** `readMax`: how many deliveries a page may read to find those in a state. */
export const webhookDeliveryLister =
  (pool: Pool, { readMax = 2_000 } = {}): WebhookDeliveryLister =>
  async ({ accountId, isTest }, { id, state = null, after = Number.MAX_SAFE_INTEGER, limit }) => {
    const [webhook] = await findWebhook(pool, [id, accountId, isTest]);
    if (!webhook) return undefined;
    const rows = await list(pool, [id, accountId, after, readMax, limit, state]);
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
