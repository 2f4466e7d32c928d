import { type Pool, preparedStatement } from '@leadback/db';
import { webhookPauses } from '@leadback/domain';
import { type ConnectionRow, connectionColumns, connectionOf, type DeliveryConnection } from './connection.ts';
import { retryPauseMs } from './retry-pause.ts';
import { changedConnections, toldToWebhooks } from './tell-webhooks.ts';

// with the pauses of retries, about three days
const attemptsMax = 30;
// longer than a request takes
const lease = '1 minute';

export interface UnverifiedWebhook {
  readonly connection: DeliveryConnection;
  /** With this one. */
  readonly attempts: number;
}

const take = preparedStatement<ConnectionRow & { verify_attempts: number }>(
  'take-unverified-webhooks',
  `with due as (
     select id from platform_connection
     where verify_at <= now() and state = 'active' order by verify_at limit $1 for no key update skip locked
   )
   update platform_connection c
   set verify_at = now() + interval '${lease}', verify_attempts = c.verify_attempts + 1
   from due where c.id = due.id
   returning ${connectionColumns}, c.verify_attempts`,
);

/**
 * Takes webhooks whose URL is to be verified, for a lease. A webhook is sent nothing else until its URL has answered one
 * signed request with 2xx; what it is to be told waits.
 */
export const takeUnverifiedWebhooks = async (pool: Pool, limit: number): Promise<readonly UnverifiedWebhook[]> => {
  const rows = await take(pool, [limit]);
  return rows.map((row) => ({ connection: connectionOf(row), attempts: row.verify_attempts }));
};

// the version: its URL may be another one by now
const verified = preparedStatement(
  'save-webhook-verification',
  `update platform_connection
   set verify_at = null, verify_attempts = 0, state_reason = case state when 'active' then null else state_reason end
   where id = $1 and account_id + 0 = $2 and version = $3 and verify_at is not null`,
);

export const saveVerification = async (
  pool: Pool,
  { connection: { id, accountId, version } }: UnverifiedWebhook,
): Promise<void> => {
  await verified(pool, [id, accountId, version]);
};

const failed = preparedStatement(
  'save-failed-webhook-verification',
  `with rejected as (
     update platform_connection c
     set verify_at = now() + $4::int * interval '1 ms',
         state = case when $6::text is null then c.state else 'paused' end, state_reason = coalesce($6, $5)
     where c.id = $1 and c.account_id + 0 = $2 and c.version = $3 and c.verify_at is not null and c.state = 'active'
     returning c.id, c.account_id, c.platform, c.state, c.state_reason, c.is_test
   ), paused as (
     insert into audit_entry (actor, action, account_id, target, details)
     select 'leadback', 'webhook.pause', account_id, 'webhook ' || id, jsonb_build_object('reason', state_reason)
     from rejected where state = 'paused'
   ), ${toldToWebhooks(
     `select account_id from rejected where state = 'paused'`,
     changedConnections(`rejected where state = 'paused'`, 'connection.needs_attention'),
   )} select from rejected`,
);

/** `isGone`: it answered with 410. It is then paused at once, otherwise after about three days. */
export const saveFailedVerification = async (
  pool: Pool,
  { connection: { id, accountId, version }, attempts }: UnverifiedWebhook,
  { reason, isGone }: { readonly reason: string; readonly isGone: boolean },
): Promise<void> => {
  const lastly = attempts >= attemptsMax ? webhookPauses.failing : null;
  const pause = isGone ? webhookPauses.gone : lastly;
  await failed(pool, [id, accountId, version, retryPauseMs(attempts), `unverified: ${reason}`, pause]);
};
