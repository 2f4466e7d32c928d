import { webhookName, webhookPauses } from '@leadback/domain';

// what is known of a webhook that works is written so rarely that it costs nothing
const acceptedEvery = '1 hour';

/** In the audit log: not a person. */
const actor = 'leadback';

/**
 * Transition 7: expressions for the statement of settle-parcels.ts. A rejection counts for the version of the connection
 * that was sent with. A platform that rejects its connection needs attention. A webhook is paused, because it belongs to
 * the partner: if it responded with 410, or if a delivery has used up its retries while nothing was accepted for as long.
 */
export const judgedConnections: string = `rejection as (
     select distinct on ("connectionId") "connectionId" as connection_id, "accountId" as account_id, version, reason
     from entry join mine on mine.id = entry.parcel where attempt->>'outcome' = 'refused' order by "connectionId", version desc
   ), accepting as (
     select distinct connection_id as id from changed where webhook_event_id is not null and state = 'delivered'
   ), failing as (
     select distinct connection_id, account_id from outcome
     where coalesce(is_too_late, false) and webhook_event_id is not null
       and connection_id <> all(array(select id from accepting))
   ), judged as (
     select * from rejection
     union all
     select connection_id, account_id, null, '${webhookPauses.failing}' from failing
     where connection_id <> all(array(select connection_id from rejection))
   ), rejected as (
     update platform_connection c
     set state = case c.platform when '${webhookName}' then 'paused' else 'needs_attention' end, state_reason = r.reason
     from judged r
     where c.id = any(array(select connection_id from judged)) and c.id = r.connection_id
       and c.account_id = r.account_id and c.state = 'active'
       and (c.version = r.version
            or r.version is null and greatest(c.last_accepted_at, c.resumed_at, c.created_at) <= now() - $2::interval)
     returning c.id, c.account_id, c.platform, c.state, c.state_reason, c.is_test
   ), paused as (
     insert into audit_entry (actor, action, account_id, target, details)
     select '${actor}', 'webhook.pause', account_id, 'webhook ' || id, jsonb_build_object('reason', state_reason)
     from rejected where platform = '${webhookName}'
   ), accepted as (
     update platform_connection c set last_accepted_at = now()
     where c.id = any(array(select id from accepting)) and c.id <> all(array(select id from rejected))
       and (c.last_accepted_at is null or c.last_accepted_at <= now() - interval '${acceptedEvery}')
   )`;
