import { type Queryable, statement } from '@leadback/db';
import { webhookName, type WebhookTopic } from '@leadback/domain';
import { packedAs } from './enqueue.ts';

/**
 * Expressions for the end of a `with`, after `webhook` (id, is_test) and `sent` (event_id, account_id, is_test, type,
 * data, webhooks): stores the events, with a delivery to each of its webhooks, in `sent_placed`.
 */
export const deliveredToWebhooks: string = `webhook_event_added as (
     insert into webhook_event (id, account_id, is_test, type, data)
     select event_id, account_id, is_test, type, data from sent
   ), sent_open as materialized (
     select nextval('delivery_id_seq') as id, sent.event_id, sent.account_id, w.id as connection_id, w.is_test,
            now() as not_before, 0 as claim, 0 as claims_lost, now() as retry_from, now() as oldest_at
     from sent
     cross join lateral unnest(sent.webhooks) named (id)
     cross join lateral (select id, is_test from webhook where id = named.id limit 1) w
   ), ${packedAs('sent_')}, sent_delivery as (
     insert into delivery (id, account_id, webhook_event_id, connection_id, parcel_id, is_test, occurred_at)
     select id, account_id, event_id, connection_id, parcel_id, is_test, oldest_at from sent_placed order by id
   )`;

/**
 * Expressions for the end of a `with`: what happened is told to the webhooks of its account that want its type, in its
 * mode. A paused webhook is told of nothing. An account without webhooks costs one look into an index of webhooks alone.
 *
 * `accounts`: SQL of the accounts (account_id) to which something may have happened. `happened`: SQL of what happened
 * (account_id, is_test, type, data, about_id), which is read for accounts with a webhook alone. `is_test`: null if it has
 * no mode; then webhooks of both modes are told. `about_id`: the webhook that it is about, which is not told, or null.
 */
export const sentToWebhooks = (accounts: string, happened: string): string => `webhook as materialized (
     select w.id, concerned.account_id, w.is_test, w.event_kinds
     from (select distinct account_id from (${accounts}) any_account) concerned
     cross join lateral (
       select id, is_test, event_kinds from platform_connection
       where account_id = concerned.account_id and platform = '${webhookName}' and state = 'active' offset 0) w
   ), sent as materialized (
     select nextval('webhook_event_id_seq') as event_id, h.*
     from (
       select h.*, array(
         select w.id from webhook w
         where w.account_id = h.account_id and h.type = any(w.event_kinds)
           and (h.is_test is null or w.is_test = h.is_test) and w.id is distinct from h.about_id) as webhooks
       from (${happened}) h
       where h.account_id = any(array(select account_id from webhook)) offset 0
     ) h
     where h.webhooks <> '{}'
   ), ${deliveredToWebhooks}`;

/**
 * SQL: the closed deliveries of `rows`, as `sentToWebhooks` wants them; not those of webhooks, which tell nothing. `rows`
 * has columns of `delivery`: id, account_id, connection_id, state, reason, is_test and the subjects.
 */
export const closedDeliveries = (rows: string): string => `
       select d.account_id, d.is_test, 'delivery.' || d.state as type, null::bigint as about_id,
              jsonb_strip_nulls(jsonb_build_object(
                'conversionId', coalesce(d.conversion_id, a.conversion_id), 'clientId', d.client_id,
                'adjustmentId', d.adjustment_id))
              || jsonb_build_object('deliveryId', d.id, 'connectionId', d.connection_id, 'platform', c.platform,
                                    'state', d.state, 'reason', d.reason, 'isTest', d.is_test) as data
       from ${rows} d
       cross join lateral (select platform from platform_connection where id = d.connection_id limit 1) c
       left join lateral (
         select conversion_id from conversion_adjustment
         where id = d.adjustment_id and account_id + 0 = d.account_id limit 1) a on true
       where d.state <> 'pending' and d.webhook_event_id is null`;

/** SQL: the changed connections of `rows` (id, account_id, platform, state, state_reason, is_test), as above. */
export const changedConnections = (
  rows: string,
  topic: Extract<WebhookTopic, 'connection.needs_attention' | 'connection.recovered'>,
): string => `
       select account_id, is_test, '${topic}' as type, id as about_id,
              jsonb_build_object('connectionId', id, 'platform', platform, 'state', state, 'reason', state_reason,
                                 'isTest', is_test) as data
       from ${rows}`;

/**
 * `sentToWebhooks` of the imports or reconciliations in `finished` (id, account_id, is_test, state, counts), an expression
 * before.
 */
export const announceFinished = (work: 'import' | 'reconciliation'): string =>
  sentToWebhooks(
    'select account_id from finished',
    `
       select account_id, is_test, '${work}.finished' as type, null::bigint as about_id,
              jsonb_build_object('${work}Id', id, 'state', state, 'counts', counts, 'isTest', is_test) as data
       from finished`,
  );

const tellChangedTarget = statement(
  `with changed as (
     select $1::bigint as account_id, $2::bigint as page_id, $3::text as host_before, $4::text as host_after
   ), ${sentToWebhooks(
     'select account_id from changed',
     `
       select account_id, null::boolean as is_test, 'page.target_changed' as type, null::bigint as about_id,
              jsonb_build_object('pageId', page_id, 'hostBefore', host_before, 'hostAfter', host_after,
                                 'isTest', null::boolean) as data
       from changed`,
   )} select count(*) from sent`,
);

interface ChangedTarget {
  readonly accountId: number;
  readonly pageId: number;
  /** Hosts, with their port if they have one. */
  readonly before: string;
  readonly after: string;
}

/** Tells the webhooks of an account, of both modes, that clicks of a page go to another host. */
export const announceChangedTarget = async (
  tx: Queryable,
  { accountId, pageId, before, after }: ChangedTarget,
): Promise<void> => {
  await tellChangedTarget(tx, [accountId, pageId, before, after]);
};
