import { dropWaitingDeliveries, pauseConnection } from '../delivery/connections.ts';
import { webhookDeleted } from '@leadback/domain';
import { type EntityManager, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { auditOn } from '../audit.ts';
import { encryptCredentials, type Keys } from '@leadback/domain/keys';
import { auditedUrl, type WebhookCaller, webhookEntry } from './webhook-audit.ts';
import { lockWebhook } from './webhook-lock.ts';

const markDeleted = preparedStatement(
  'mark-webhook-deleted',
  `update platform_connection set state = 'paused', state_reason = '${webhookDeleted}', settings = '{}', credentials = $3,
     verify_at = null
   where id = $1 and account_id + 0 = $2`,
);

/**
 * Deletes a webhook's URL, its secret, and the deliveries that wait for it. The row stays, because the deliveries of its
 * log refer to it until retention deletes them. It is paused first and marked last: if this fails in between, the
 * webhook is still listed, and the caller deletes it again. Throws `not-found.webhook`.
 */
export type WebhookDeleter = (caller: WebhookCaller, id: number) => Promise<void>;

export const webhookDeleter =
  (pool: Pool, em: () => EntityManager, keys: Keys): WebhookDeleter =>
  async (caller, id) => {
    const key = { id, accountId: caller.accountId };
    await inTransaction(pool, (on) => lockWebhook(on, caller, id));
    await pauseConnection(em(), id);
    for (let isMore = true; isMore; ) isMore = await dropWaitingDeliveries(pool, key);
    await inTransaction(pool, async (on) => {
      const webhook = await lockWebhook(on, caller, id);
      await markDeleted(on, [id, caller.accountId, encryptCredentials(keys, webhook, {})]);
      await auditOn(on, webhookEntry(caller, 'delete', id, { url: auditedUrl(webhook.url) }));
    });
  };
