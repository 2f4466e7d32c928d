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

/** SQL: what a `platform_connection` is called wherever it is shown. */
export const shownLabel = (connection = 'c'): string => `coalesce(${connection}.label, ${connection}.destination)`;

/** SQL: the changed connections c, for `changedConnections`. */
export const changedConnectionColumns =
  'c.id, c.account_id, c.platform, c.label, c.destination, c.state, c.state_reason, c.is_test';

const code = '^(HTTP )?[A-Za-z0-9_./]+';

/** SQL: what a platform said, without the code before it; null: nothing. As stored, so without secrets and personal data. */
const wordsOf = (reason: string) => `left(case when ${reason} ~ '${code}(:|$)'
                                              then nullif(ltrim(regexp_replace(${reason}, '${code}:?', '')), '')
                                              else ${reason} end, 500)`;

/**
 * SQL: the closed deliveries of `rows`, as `sentToWebhooks` wants them; not those of webhooks, which tell nothing. `rows`
 * has columns of `delivery`: id, account_id, connection_id, state, reason, is_test, and the subjects.
 */
export const closedDeliveries = (rows: string): string => `
       select d.account_id, d.is_test, 'delivery.' || d.state as type, null::bigint as about_id,
              jsonb_strip_nulls(jsonb_build_object(
                'conversionId', v.id, 'clientId', d.client_id, 'adjustmentId', d.adjustment_id))
              || case when v.id is null then '{}'
                      else jsonb_build_object('conversionExternalReference', v.external_reference) end
              || jsonb_build_object('deliveryId', d.id, 'connectionId', d.connection_id,
                                    'connection', jsonb_build_object('id', d.connection_id, 'label', ${shownLabel()}),
                                    'platform', c.platform, 'state', d.state, 'reason', d.reason,
                                    'message', ${wordsOf('d.reason')}, 'isTest', d.is_test) as data
       from ${rows} d
       cross join lateral (
         select platform, label, destination from platform_connection where id = d.connection_id limit 1) c
       left join lateral (
         select conversion_id from conversion_adjustment
         where id = d.adjustment_id and account_id + 0 = d.account_id limit 1) a on true
       left join lateral (
         select id, coalesce(external_reference, test_reference) as external_reference from conversion
         where id = coalesce(d.conversion_id, a.conversion_id) and account_id + 0 = d.account_id limit 1) v on true
       where d.state <> 'pending' and d.webhook_event_id is null`;

/** SQL: the changed connections of `rows`, which has their `changedConnectionColumns`, as above. */
export const changedConnections = (
  rows: string,
  topic: Extract<WebhookTopic, 'connection.needs_attention' | 'connection.recovered'>,
): string => `
       select c.account_id, c.is_test, '${topic}' as type, c.id as about_id,
              jsonb_build_object('connectionId', c.id,
                                 'connection', jsonb_build_object('id', c.id, 'label', ${shownLabel()}),
                                 'platform', c.platform, 'state', c.state, 'reason', c.state_reason,
                                 'message', ${wordsOf('c.state_reason')}, 'isTest', c.is_test) as data
       from (select * from ${rows}) c`;

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

const tellDomainState = statement(
  `with changed as (
     select $1::bigint as account_id, $2::bigint as domain_id, $3::text as name, $4::text as state
   ), ${sentToWebhooks(
     'select account_id from changed',
     `
       select account_id, null::boolean as is_test, 'domain.state_changed' as type, null::bigint as about_id,
              jsonb_build_object('domainId', domain_id, 'name', name, 'state', state, 'isTest', null::boolean) as data
       from changed`,
   )} select count(*) from sent`,
);

interface ChangedDomain {
  readonly accountId: number;
  readonly domainId: number;
  readonly name: string;
  /** lost: another account has proved that it is its own. */
  readonly state: 'active' | 'wrong' | 'lost';
}

/** Tells the webhooks of an account, of both modes, that its domain leads to landing, or no longer. */
export const announceDomainState = async (
  tx: Queryable,
  { accountId, domainId, name, state }: ChangedDomain,
): Promise<void> => {
  await tellDomainState(tx, [accountId, domainId, name, state]);
};
