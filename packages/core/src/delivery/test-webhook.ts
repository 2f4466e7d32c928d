import { type Pool, type Queryable, statement } from '@leadback/db';
import { webhookName, webhookPauses } from '@leadback/domain';
import {
  deliveredToWebhooks,
  changedConnectionColumns,
  changedConnections,
  sentToWebhooks,
} from './webhook-deliveries.ts';
import { type ConnectionRow, connectionColumns, connectionOf, type DeliveryConnection } from '../connections/open.ts';
import { retryPauseMs } from './settle.ts';

const soonest = '10 seconds';

const open = statement<{ id: number }>(
  `with webhook as (
     select id, account_id, is_test, test_delivery_id from platform_connection
     where id = $1 and account_id = $2 and platform = '${webhookName}' and state = 'active'
   ), open_test as (
     select f.id, f.parcel_id from webhook
     join delivery f on f.id = webhook.test_delivery_id and f.account_id = webhook.account_id and f.state = 'pending'
   ), sent as materialized (
     select nextval('webhook_event_id_seq') as event_id, account_id, is_test, 'webhook.test' as type,
            jsonb_build_object('webhookId', id, 'isTest', is_test) as data, array[id] as webhooks
     from webhook where not exists (select from open_test)
   ), ${deliveredToWebhooks}, sooner as (
     update delivery_due d set not_before = least(d.not_before, now() + interval '${soonest}')
     from open_test where d.id = open_test.parcel_id and d.phase = 'waiting'
   ), remembered as (
     update platform_connection c
     set test_delivery_id = coalesce((select id from sent_placed), c.test_delivery_id),
         verify_at = least(c.verify_at, case when c.verify_at is not null then now() + interval '${soonest}' end)
     from webhook where c.id = webhook.id
   )
   select id from sent_placed union all select id from open_test`,
);

// the statement after it sees the test of a request that had the lock before
const lock = statement('select from platform_connection where id = $1 and account_id = $2 for no key update');

/**
 * Sends an event `webhook.test` to a webhook, whatever it is told of. Returns the id of the delivery; undefined if the
 * account has no such webhook, or it is paused. There is one open test of a webhook: while it waits, it is only sent
 * sooner, at most every ten seconds, and so is the test of an unverified URL. In a transaction.
 */
export const sendTestToWebhook = async (
  tx: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<number | undefined> => {
  await lock(tx, [id, accountId]);
  return (await open(tx, [id, accountId]))[0]?.id;
};

// with the pauses of retries, about three days
const attemptsMax = 30;
// longer than a request takes
const lease = '1 minute';

export interface UnverifiedWebhook {
  readonly connection: DeliveryConnection;
  /** With this one. */
  readonly attempts: number;
}

const take = statement<ConnectionRow & { verify_attempts: number }>(
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
const verified = statement(
  `update platform_connection
   set verify_at = null, verify_attempts = 0, state_reason = case state when 'active' then null else state_reason end
   where id = $1 and account_id = $2 and version = $3 and verify_at is not null`,
);

export const saveVerification = async (
  pool: Pool,
  { connection: { id, accountId, version } }: UnverifiedWebhook,
): Promise<void> => {
  await verified(pool, [id, accountId, version]);
};

const failed = statement(
  `with rejected as (
     update platform_connection c
     set verify_at = now() + $4::int * interval '1 ms',
         state = case when $6::text is null then c.state else 'paused' end, state_reason = coalesce($6, $5)
     where c.id = $1 and c.account_id = $2 and c.version = $3 and c.verify_at is not null and c.state = 'active'
     returning ${changedConnectionColumns}
   ), paused as (
     insert into audit_entry (actor, action, account_id, target, details)
     select 'leadback', 'webhook.pause', account_id, 'webhook ' || id, jsonb_build_object('reason', state_reason)
     from rejected where state = 'paused'
   ), ${sentToWebhooks(
     `select account_id from rejected where state = 'paused'`,
     changedConnections(`rejected where state = 'paused'`, 'connection.needs_attention'),
   )} select from rejected`,
);

/** It is tried again with back-off, and paused after about three days; at once if the reason is `gone`. */
export const saveFailedVerification = async (
  pool: Pool,
  { connection: { id, accountId, version }, attempts }: UnverifiedWebhook,
  reason: string,
): Promise<void> => {
  const { gone, unreadable, failing } = webhookPauses;
  const pauseOf = reason === gone || reason === unreadable ? reason : failing;
  const pause = reason === gone || attempts >= attemptsMax ? pauseOf : null;
  await failed(pool, [id, accountId, version, retryPauseMs(attempts), `unverified: ${reason}`, pause]);
};
