import { requeueWebhookDelivery, sendTestToWebhook } from '@leadback/delivery';
import { type AccountMode, Refusal } from '@leadback/domain';
import { type EntityManager, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { lockWebhook, requireActive } from './webhook-lock.ts';

/** Returns the id of the delivery. Throws `not-found.webhook`, or `invalid-fields.webhookPaused`. */
export type WebhookTester = (mode: AccountMode, id: number) => Promise<number>;

export const webhookTester =
  (pool: Pool, em: () => EntityManager): WebhookTester =>
  async (mode, id) => {
    const webhook = await inTransaction(pool, (on) => lockWebhook(on, mode, id));
    requireActive(webhook);
    const deliveryId = await sendTestToWebhook(em(), webhook);
    // paused meanwhile
    if (deliveryId === undefined) throw new Refusal('invalid-fields.webhookPaused');
    return deliveryId;
  };

const find = preparedStatement<{ id: number }>(
  'find-webhook-delivery',
  `select id from feedback
   where id = $1 and connection_id + 0 = $2 and account_id + 0 = $3 and webhook_event_id is not null`,
);

/**
 * A delivery that is pending stays as it is. Throws `not-found.webhook`, `not-found.webhookDelivery`, or
 * `invalid-fields.webhookPaused`.
 */
export type WebhookRetrier = (
  mode: AccountMode,
  delivery: { readonly id: number; readonly deliveryId: number },
) => Promise<void>;

export const webhookRetrier =
  (pool: Pool): WebhookRetrier =>
  (mode, { id, deliveryId }) =>
    inTransaction(pool, async (on) => {
      const webhook = await lockWebhook(on, mode, id);
      const [delivery] = await find(on, [deliveryId, id, mode.accountId]);
      if (!delivery) throw new Refusal('not-found.webhookDelivery');
      requireActive(webhook);
      await requeueWebhookDelivery(on, { id: deliveryId, connectionId: id, accountId: mode.accountId });
    });
