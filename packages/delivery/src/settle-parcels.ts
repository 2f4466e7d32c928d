import type { FeedbackState } from '@leadback/domain';
import { preparedStatement } from '@leadback/db';
import { judgedConnections } from './judge-connections.ts';
import { retriedSince } from './limits.ts';
import { packed } from './pack.ts';
import { changedConnections, closedDeliveries, toldToWebhooks } from './tell-webhooks.ts';

export interface SettledRow {
  feedback_id: number | null;
  state: FeedbackState | null;
  connection_id: number;
}

// Deleting the parcel decides: only the last claim finds it. An earlier claim changes nothing, except that an event
// which the platform accepted is delivered, in whatever order the outcomes are saved; it leaves the parcel that has it
// now. What must be sent again leaves in new parcels, which keep the number of claims. A delivery whose retry would be
// after the last day for retries has failed; those that were not sent, or wait for the operator, have not, and keep
// what is known of crashes.
//
// Attempts are those of the rows that it has changed. A settlement that is repeated while the first one is being
// committed has read the rows of before; the update reads them again.
//
// Match keys are those of the last event that was sent; of a delivery that is skipped in the end, those of no event.
//
// PostgreSQL expects half of the rows to meet a condition in coalesce(), and so enough rows to join them by hashing, not
// by comparing each delivery with each outcome.
//
// `attempt` is jsonb: text would be parsed again for each of its fields, and for each delivery.
//
// Parcels are locked before deliveries, here as in every statement, so that two of them cannot deadlock.
/** Transitions 4 to 8. Parameters: settled deliveries as JSON, and for how long deliveries are retried. */
export const settleParcels = preparedStatement<SettledRow>(
  'settle-parcels',
  `with entry as materialized (
     select * from json_to_recordset($1) as e (
       parcel bigint, claim int, "accountId" bigint, "connectionId" bigint, version int, "feedbackIds" bigint[],
       "matchKeys" int[], state text, reason text, "retryInMs" float8, "isCounted" boolean, attempt jsonb,
       "eventNote" text, "sentVersion" int)
   ), mine as (
     delete from feedback_due d
     using (select distinct parcel, claim, "accountId" as account_id from entry) e
     where d.id = any(array(select parcel from entry))
       and d.id = e.parcel and d.account_id = e.account_id and d.claim = e.claim and d.phase = 'claimed'
     returning d.*
   ), outcome as materialized (
     select f.id, f.account_id, f.connection_id, f.webhook_event_id, e.attempt, e."eventNote" as event_note,
            e."sentVersion" as sent_version,
            case when e.state = 'skipped' then named.match_keys
                 else coalesce(named.match_keys, f.match_keys) end as match_keys, m.is_test, m.claim, m.oldest_at,
            case when e.attempt is null then m.claims_lost else 0 end as claims_lost,
            coalesce(f.retried_since, f.created_at) as retry_from, late.is_too_late,
            case when f.parcel_id is distinct from m.id then f.parcel_id end as elsewhere,
            f.attempts + case when e."isCounted" then 1 else 0 end as attempts,
            f.throttled + case when e.attempt->>'outcome' = 'throttled' then 1 else 0 end as throttled,
            case when late.is_too_late then 'failed' else e.state end as state,
            case when late.is_too_late then 'retries_exhausted: ' || coalesce(e.reason, '') else e.reason end as reason,
            now() + e."retryInMs" * interval '1 ms' as not_before
     from entry e
     left join mine m on m.id = e.parcel
     cross join lateral (
       select resumed_at from platform_connection where id = e."connectionId" and account_id + 0 = e."accountId" limit 1) c
     cross join lateral unnest(e."feedbackIds", e."matchKeys") named (id, match_keys)
     cross join lateral (
       select * from feedback where id = named.id and account_id + 0 = e."accountId" limit 1) f
     cross join lateral (
       select coalesce(e.attempt->>'outcome' in ('unavailable', 'throttled') and now() + e."retryInMs" * interval '1 ms'
                > ${retriedSince} + $2::interval, false) as is_too_late
     ) late
     where coalesce(f.parcel_id = m.id and f.state = 'pending' or e.state = 'delivered' and f.state <> 'delivered', false)
   ), open as (
     select id, account_id, connection_id, is_test, not_before, claim, claims_lost, retry_from, oldest_at, state, reason,
            attempts, throttled, attempt, match_keys, event_note, sent_version
     from outcome where coalesce(state = 'pending', false)
   ), ${packed}, elsewhere as (
     update feedback_due d set feedback_ids = array(select id from unnest(d.feedback_ids) id where id <> all(e.ids))
     from (select elsewhere as parcel_id, array_agg(id) as ids from outcome group by elsewhere) e
     where d.id = any(array(select elsewhere from outcome where elsewhere is not null)) and d.id = e.parcel_id
     returning d.id
   ), changed as (
     update feedback f set state = o.state, reason = o.reason, attempts = o.attempts, throttled = o.throttled,
       parcel_id = o.parcel_id,
       match_keys = o.match_keys, closed_at = case when o.state <> 'pending' then now() end,
       event_note = case when o.state = 'delivered' then o.event_note end,
       sent_version = case when o.state = 'delivered' then o.sent_version else f.sent_version end
     from (
       select id, state, reason, attempts, throttled, parcel_id, attempt, match_keys, event_note, sent_version from placed
       union all
       select id, state, reason, attempts, throttled, null, attempt, match_keys, event_note, sent_version from outcome
       where coalesce(state <> 'pending', false)
     ) o
     where (select count(*) from elsewhere) is not null
       and f.id = any(array(select id from outcome)) and f.id = o.id
       and (f.state = 'pending' or o.state = 'delivered' and f.state <> 'delivered')
     returning f.id, f.account_id, f.state, f.reason, f.connection_id, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id, o.attempt
   ), attempt as (
     insert into feedback_attempt
       (account_id, feedback_id, outcome, reason, http_status, answer, duration_ms, platform_request)
     select account_id, id, attempt->>'outcome', attempt->>'reason', (attempt->>'httpStatus')::int, attempt->>'answer',
            (attempt->>'durationMs')::int, attempt->'request'->>'name'
     from changed where jsonb_typeof(attempt) = 'object'
   ), request as (
     insert into platform_request (account_id, connection_id, name, look_at)
     select distinct on ("connectionId", attempt->'request'->>'name') "accountId", "connectionId",
            attempt->'request'->>'name', now() + (attempt->'request'->>'lookInMs')::float8 * interval '1 ms'
     from entry where jsonb_typeof(attempt->'request') = 'object'
     order by "connectionId", attempt->'request'->>'name'
     on conflict do nothing
   ), ${judgedConnections}, ${toldToWebhooks(
     'select account_id from changed union all select account_id from rejected',
     `${closedDeliveries('changed')}
       union all ${changedConnections('rejected', 'connection.needs_attention')}`,
   )}
   select id as feedback_id, state, connection_id from changed
   union all
   select null, null, id from rejected`,
);
