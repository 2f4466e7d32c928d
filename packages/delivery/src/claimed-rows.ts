import { adjustmentOf, conversionIdOf } from './claim-adjustment.ts';
import { webhookColumns, webhookEventOf } from './claim-webhook.ts';
import { msOf } from './milliseconds.ts';

/**
 * SQL: a `ClaimedRow` for each delivery. `parcels`: a table with (id, claim, is_test, connection_id, account_id).
 * `deliveries`: a `from` clause with the deliveries f of a parcel p.
 */
export const claimedRowsOf = (parcels: string, deliveries: string): string => `
   select p.id as parcel_id, p.claim, p.is_test, p.connection_id, p.account_id, connection.platform, connection.version,
          account.country, account.gpc_reading, account.data_key, ${msOf('now()')} as claimed_ms,
          (select id from installation) as installation_id, facts.*
   from ${parcels} p
   cross join lateral (
     select platform, version from platform_connection where id = p.connection_id and account_id + 0 = p.account_id limit 1
   ) connection
   cross join lateral (select country, gpc_reading, data_key from account where id = p.account_id limit 1) account
   left join lateral (
     select f.id as feedback_id, f.attempts, f.throttled, ${msOf('f.created_at')} as feedback_ms,
            v.id as conversion_id, coalesce(v.event_id, v.id::text) as event_id, v.event_name,
            coalesce(v.external_reference, v.test_reference) as conversion_reference, v.amount, v.currency,
            ${msOf('coalesce(v.occurred_at, v.created_at, c.created_at)')} as occurred_ms, c.id as client_id,
            coalesce(c.external_reference, c.test_reference) as client_reference, c.name, c.email, c.phone_number, c.contact as client_contact, l.contact as lead_contact, l.reference as lead_reference,
            l.click_marks, l.click_times, ${msOf('l.clicked_at')} as clicked_ms, l.ip_address, l.user_agent, l.accept_language, l.referrer,
            l.landing_url, ${msOf('l.created_at')} as lead_ms, l.name as lead_name, l.email as lead_email, l.phone as lead_phone,
            l.consent, l.consent_scope, l.global_privacy_control, l.consent_withdrawn_at is not null as is_consent_withdrawn,
            l.trace_parent,
            adjusted.adjustment, ${webhookColumns}
     ${deliveries}
     left join lateral (
       select * from conversion where id = ${conversionIdOf} and account_id + 0 = p.account_id limit 1) v on true
     left join lateral (
       select * from client
       where id = coalesce(v.client_id, f.client_id) and account_id + 0 = p.account_id limit 1) c on true
     left join lateral (select * from lead where id = c.lead_id and account_id + 0 = p.account_id limit 1) l on true
     left join lateral ${adjustmentOf} adjusted on true
     left join lateral ${webhookEventOf} w on true
     where l.id is not null or w.id is not null
   ) facts on true
   order by p.id`;
