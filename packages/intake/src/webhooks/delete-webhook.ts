import { dropWaitingDeliveries, pauseConnection } from '@leadback/delivery';
import { type AccountMode, webhookDeleted } from '@leadback/domain';
import { type EntityManager, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { encryptCredentials, type Keys } from '@leadback/secrets';
import { lockWebhook } from './webhook-lock.ts';

const markDeleted = preparedStatement(
  'mark-webhook-deleted',
  `update platform_connection set state = 'paused', state_reason = '${webhookDeleted}', settings = '{}', credentials = $3
   where id = $1 and account_id + 0 = $2`,
);

/**
 * Deletes a webhook's URL, its secret, and the deliveries that wait for it. The row stays, because the deliveries of its
 * log refer to it until retention deletes them. It is paused first and marked last: if this fails in between, the
 * webhook is still listed, and the caller deletes it again. Throws `not-found.webhook`.
 */
export type WebhookDeleter = (mode: AccountMode, id: number) => Promise<void>;

export const webhookDeleter =
  (pool: Pool, em: () => EntityManager, keys: Keys): WebhookDeleter =>
  async (mode, id) => {
    const key = { id, accountId: mode.accountId };
    await inTransaction(pool, (on) => lockWebhook(on, mode, id));
    await pauseConnection(em(), id);
    for (let isMore = true; isMore; ) isMore = await dropWaitingDeliveries(pool, key);
    await inTransaction(pool, async (on) => {
      const owner = await lockWebhook(on, mode, id);
      await markDeleted(on, [id, mode.accountId, encryptCredentials(keys, owner, {})]);
    });
  };
