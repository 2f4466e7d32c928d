import type { EntityManager } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { z } from 'zod';
import { deliveredToWebhooks } from './tell-webhooks.ts';

const deliveriesSchema = z.array(z.object({ id: z.coerce.number() }));

/**
 * Sends an event `webhook.test` to a webhook, whatever it is told of. Returns the id of the delivery; undefined if the
 * account has no such webhook, or it is paused.
 */
export const sendTestToWebhook = async (
  em: EntityManager,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<number | undefined> => {
  const rows = await em.execute(
    `with webhook as materialized (
       select id, account_id, is_test from platform_connection
       where id = ? and account_id = ? and platform = '${webhookName}' and state = 'active'
     ), told as materialized (
       select nextval('webhook_event_id_seq') as event_id, account_id, is_test, 'webhook.test' as type,
              jsonb_build_object('webhookId', id, 'isTest', is_test) as data, array[id] as webhooks
       from webhook
     ), ${deliveredToWebhooks} select id from told_placed`,
    [id, accountId],
  );
  return deliveriesSchema.parse(rows)[0]?.id;
};
