import { requeueWebhookDelivery } from '../delivery/requeue.ts';
import { sendTestToWebhook } from '../delivery/test-webhook.ts';
import { Refusal } from '@leadback/domain';
import { type EntityManager, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { audit, auditOn } from '../audit.ts';
import { type WebhookCaller, webhookEntry } from './webhook-audit.ts';
import { lockWebhook, requireActive } from './webhook-lock.ts';

/** Returns the id of the delivery. Throws `not-found.webhook`, or `invalid-fields.webhookPaused`. */
export type WebhookTester = (caller: WebhookCaller, id: number) => Promise<number>;

export const webhookTester =
  (pool: Pool, em: () => EntityManager): WebhookTester =>
  async (caller, id) => {
    const webhook = await inTransaction(pool, (on) => lockWebhook(on, caller, id));
    requireActive(webhook);
    return em().transactional(async (tx) => {
      const deliveryId = await sendTestToWebhook(tx, webhook);
      // paused meanwhile
      if (deliveryId === undefined) throw new Refusal('invalid-fields.webhookPaused');
      await audit(tx, webhookEntry(caller, 'test', id));
      return deliveryId;
    });
  };

const find = preparedStatement<{ id: number }>(
  'find-webhook-delivery',
  `select id from delivery
   where id = $1 and connection_id + 0 = $2 and account_id + 0 = $3 and webhook_event_id is not null`,
);

/**
 * A delivery that is pending stays as it is. Throws `not-found.webhook`, `not-found.webhookDelivery`, or
 * `invalid-fields.webhookPaused`.
 */
export type WebhookRetrier = (
  caller: WebhookCaller,
  delivery: { readonly id: number; readonly deliveryId: number },
) => Promise<void>;

export const webhookRetrier =
  (pool: Pool): WebhookRetrier =>
  (caller, { id, deliveryId }) =>
    inTransaction(pool, async (on) => {
      const webhook = await lockWebhook(on, caller, id);
      const [delivery] = await find(on, [deliveryId, id, caller.accountId]);
      if (!delivery) throw new Refusal('not-found.webhookDelivery');
      requireActive(webhook);
      const own = { id: deliveryId, connectionId: id, accountId: caller.accountId };
      if (await requeueWebhookDelivery(on, own)) await auditOn(on, webhookEntry(caller, 'retry', id, { deliveryId }));
    });
