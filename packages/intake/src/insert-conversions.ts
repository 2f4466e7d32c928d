import { type FeedbackToSend, testEventIdPrefix } from '@leadback/domain';
import { preparedStatement } from '@leadback/db';

/** One per conversion, in order. `id`: null if it was not inserted. */
export interface InsertedConversion {
  is_timely: boolean;
  is_matched: boolean;
  id: number | null;
  lead_id: number | null;
  same_reference_id: number | null;
  same_event_id: number | null;
  trace_parent: string | null;
  feedback: FeedbackToSend[];
}

// Conversions that arrive together share one statement and one commit, each with a feedback row per connection of its
// account. The rows are due one lease ahead: the API publishes them after the commit, and the relay publishes only
// those for which that failed. A connection that needs attention gets its rows too; they wait for it. Sorted, so that
// two statements cannot deadlock on each other's references.
//
// Unique indexes decide which conversion gets a reference and an event id. One that was not inserted, although no
// visible conversion has its reference or the event id that its partner chose, is tried again: it lost to a transaction
// that is not in the snapshot of this statement, or its reference is the event id of another sale. Then a reference is
// replaced with a UUID, and an event id that is the number of a conversion from before event ids were stored gets a
// prefix, the same each time.
/** Parameters: conversions as JSON, and how long the API has to publish their feedback. */
export const insertConversions = preparedStatement<InsertedConversion>(
  'register-conversions',
  `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "clientExternalReference" text, "emailKey" text, amount numeric, currency text,
       "isTest" boolean, "externalReference" text, "eventId" text, "occurredAt" timestamptz, "isSecondTry" boolean))
       with ordinality as i (account_id, client_external_reference, email_key, amount, currency, is_test,
                             external_reference, wanted_event_id, occurred_at, is_second_try, place)
   ), timely as (
     select *,
            case when is_test then '${testEventIdPrefix}' else '' end || case
              when is_second_try is true and wanted_event_id is null then gen_random_uuid()::text
              when is_second_try is true and case when not is_test and wanted_event_id ~ '^[1-9][0-9]{0,14}$' then exists (
                  select from conversion o
                  where o.id = wanted_event_id::bigint and o.account_id = input.account_id and o.event_id is null)
                end then 'id:' || wanted_event_id
              when wanted_event_id is not null then wanted_event_id
              when not starts_with(external_reference, '${testEventIdPrefix}') then external_reference
              else gen_random_uuid()::text end as event_id
     from input
     where occurred_at is null or occurred_at between now() - interval '400 days' and now() + interval '5 minutes'
   ), matched as (
     select i.*, client.id as client_id, client.lead_id, nextval('conversion_id_seq') as id
     from timely i
     cross join lateral (
       select r.id, r.lead_id, 1 as rank from client r
       where not i.is_test and r.account_id = i.account_id and r.external_reference = i.client_external_reference
       union all
       select r.id, r.lead_id, 1 from client r
       where i.is_test and r.account_id = i.account_id and r.test_reference = i.client_external_reference
       union all
       (select e.id, e.lead_id, 2 from client e
        where not i.is_test and e.account_id = i.account_id and e.email_key = i.email_key order by e.id desc limit 1)
       union all
       (select e.id, e.lead_id, 2 from client e
        where i.is_test and e.account_id = i.account_id and e.test_email_key = i.email_key order by e.id desc limit 1)
       order by rank limit 1
     ) client
   ), created as (
     insert into conversion (id, account_id, client_id, amount, currency, is_test, external_reference, test_reference,
                             event_id, occurred_at)
     select id, account_id, client_id, amount, currency, is_test,
            case when not is_test then external_reference end, case when is_test then external_reference end,
            event_id, occurred_at
     from matched order by account_id, event_id, external_reference, place
     on conflict do nothing
     returning id, account_id
   ), feedback as (
     insert into feedback (account_id, conversion_id, connection_id, due_at)
     select created.account_id, created.id, connection.id, now() + $2::interval
     from created join platform_connection connection using (account_id)
     where connection.state in ('active', 'needs_attention')
     returning id, conversion_id, connection_id
   )
   select t.place is not null as is_timely, m.id is not null as is_matched, c.id,
          case when c.id is not null then m.lead_id end as lead_id, l.trace_parent,
          case when m.id is not null and c.id is null then coalesce(
            (select v.id from conversion v
             where not m.is_test and v.account_id = m.account_id and v.external_reference = m.external_reference),
            (select v.id from conversion v
             where m.is_test and v.account_id = m.account_id and v.test_reference = m.external_reference)
          ) end as same_reference_id,
          case when m.wanted_event_id is not null and c.id is null then (
            select v.id from conversion v
            where v.account_id = m.account_id and v.event_id = m.event_id
              and coalesce(v.event_id, v.id::text) = m.event_id
          ) end as same_event_id,
          coalesce((select json_agg(json_build_object('feedbackId', f.id, 'connectionId', f.connection_id, 'platform', connection.platform))
                    from feedback f join platform_connection connection on connection.id = f.connection_id
                    where f.conversion_id = c.id), '[]') as feedback
   from input i
   left join timely t using (place)
   left join matched m using (place)
   left join created c on c.id = m.id
   left join lead l on l.id = m.lead_id
   order by i.place`,
);
