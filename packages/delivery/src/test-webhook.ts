import type { EntityManager } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { z } from 'zod';
import { deliveredToWebhooks } from './tell-webhooks.ts';

const soonest = '10 seconds';

const deliveriesSchema = z.array(z.object({ id: z.coerce.number() }));

/**
 * Sends an event `webhook.test` to a webhook, whatever it is told of. Returns the id of the delivery; undefined if the
 * account has no such webhook, or it is paused. There is one open test of a webhook: while it waits, it is only sent
 * sooner, at most every ten seconds, and so is the test of an unverified URL. In a transaction.
 */
export const sendTestToWebhook = async (
  em: EntityManager,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<number | undefined> => {
  // the statement after it sees the test of a request that had the lock before
  await em.execute('select from platform_connection where id = ? and account_id = ? for no key update', [
    id,
    accountId,
  ]);
  const rows = await em.execute(
    `with webhook as materialized (
       select id, account_id, is_test, test_delivery_id from platform_connection
       where id = ? and account_id = ? and platform = '${webhookName}' and state = 'active'
     ), open_test as materialized (
       select f.id, f.parcel_id from webhook
       join feedback f on f.id = webhook.test_delivery_id and f.account_id = webhook.account_id and f.state = 'pending'
     ), told as materialized (
       select nextval('webhook_event_id_seq') as event_id, account_id, is_test, 'webhook.test' as type,
              jsonb_build_object('webhookId', id, 'isTest', is_test) as data, array[id] as webhooks
       from webhook where not exists (select from open_test)
     ), ${deliveredToWebhooks}, sooner as (
       update feedback_due d set not_before = least(d.not_before, now() + interval '${soonest}')
       from open_test where d.id = open_test.parcel_id and d.phase = 'waiting'
     ), remembered as (
       update platform_connection c
       set test_delivery_id = coalesce((select id from told_placed), c.test_delivery_id),
           verify_at = least(c.verify_at, case when c.verify_at is not null then now() + interval '${soonest}' end)
       from webhook where c.id = webhook.id
     )
     select id from told_placed union all select id from open_test`,
    [id, accountId],
  );
  return deliveriesSchema.parse(rows)[0]?.id;
};
