import { type ConsentScope, type ConsentWords, type GpcReading, type Sharing, sharingOf } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { furtherLeads, sameEmailMax } from './attribution.ts';

// Node reads a number in a tenth of the time of a timestamp. A float8 is not exact: without the half microsecond that is
// added, a time with whole milliseconds could lose one.
/** SQL: whole milliseconds since 1970. */
export const msOf = (time: string): string => `floor(date_part('epoch', ${time}) * 1000 + 0.0005)`;

/**
 * SQL: a select of what the person of a client with several leads has said last, as the columns consent, consent_scope, consent_at,
 * global_privacy_control and is_consent_withdrawn. A visit whose page did not ask is silence: it takes back neither a consent nor a
 * refusal, and a browser that asks once not to be tracked has asked. No row for a client with one lead, whose own columns say it.
 * All values are SQL expressions.
 */
export const lastWord = (client: {
  readonly id: string;
  readonly leadId: string;
  readonly accountId: string;
}): string => `
       select (array_agg(word.consent order by word.at desc) filter (where word.consent is not null))[1] as consent,
              (array_agg(word.consent_scope order by word.at desc) filter (where word.consent is not null))[1] as consent_scope,
              max(word.at) filter (where word.consent is not null) as consent_at,
              coalesce(bool_or(said.global_privacy_control), false) as global_privacy_control,
              coalesce((array_agg(word.is_withdrawal order by word.at desc) filter (where word.at is not null))[1], false)
                as is_consent_withdrawn
       from (select array(${furtherLeads(client.id, client.accountId)}) as ids) further
       join lead said on said.id = any(further.ids || ${client.leadId}) and cardinality(further.ids) > 0
       cross join lateral (values
         (case when said.consent is not null then said.created_at end, said.consent, said.consent_scope, false),
         (said.consent_withdrawn_at, null, null, true)
       ) word (at, consent, consent_scope, is_withdrawal)
       having count(*) > 0`;

/**
 * SQL: the columns of a `ConsentRow`: of `lastWord` of the lead l, or of the row `word`, if there is one, and what the advertiser has told
 * of the client c.
 */
export const consentColumns = `case when word.is_consent_withdrawn is null then l.consent else word.consent end as consent,
            case when word.is_consent_withdrawn is null then l.consent_scope else word.consent_scope end as consent_scope,
            ${msOf('case when word.is_consent_withdrawn is null then l.created_at else word.consent_at end')} as consent_ms,
            coalesce(word.global_privacy_control, l.global_privacy_control) as global_privacy_control,
            coalesce(word.is_consent_withdrawn, l.consent_withdrawn_at is not null) as is_consent_withdrawn,
            c.ad_user_data, ${msOf('c.ad_user_data_at')} as ad_user_data_ms,
            c.ad_personalization, ${msOf('c.ad_personalization_at')} as ad_personalization_ms`;

/** Columns in `_ms` are milliseconds since 1970. */
export interface ConsentRow {
  readonly gpc_reading: GpcReading;
  readonly consent: boolean | null;
  readonly consent_scope: ConsentScope | null;
  readonly consent_ms: number | null;
  readonly global_privacy_control: boolean;
  readonly is_consent_withdrawn: boolean;
  readonly ad_user_data: boolean | null;
  readonly ad_user_data_ms: number | null;
  readonly ad_personalization: boolean | null;
  readonly ad_personalization_ms: number | null;
}

/** `registeredMs`: when the event was registered that platforms would be told of. Default: now. */
export const sharingOfRow = (row: ConsentRow, registeredMs?: number): Sharing =>
  sharingOf({
    consent: row.consent,
    consentScope: row.consent_scope,
    consentMs: row.consent_ms,
    globalPrivacyControl: row.global_privacy_control,
    gpcReading: row.gpc_reading,
    isWithdrawn: row.is_consent_withdrawn,
    told: {
      adUserData: row.ad_user_data,
      adUserDataMs: row.ad_user_data_ms,
      adPersonalization: row.ad_personalization,
      adPersonalizationMs: row.ad_personalization_ms,
    },
    ...(registeredMs !== undefined && { registeredMs }),
  });

/** What an advertiser tells of a client, or of the buyer of a conversion that was registered before in the transaction. */
interface ToldWords extends ConsentWords {
  readonly accountId: number;
  readonly clientId?: number;
  readonly conversionId?: number;
  /** Whether an email names the buyer: then all clients with it are this person. */
  readonly isByEmail?: boolean;
  /** When the sale occurred, ISO 8601. Default: now. */
  readonly occurredAt?: string | undefined;
}

export const saysAnything = ({ adUserData, adPersonalization }: ConsentWords): boolean =>
  adUserData !== undefined || adPersonalization !== undefined;

const samePerson = (isOfMode: string, column: string) => `(
         select o.id from client o
         where ${isOfMode} and o.account_id = c.account_id and o.${column} = c.${column} order by o.id desc limit ${sameEmailMax})`;

// A consent was given when the sale occurred, which may be long ago; a refusal counts from when it is told. An older word takes
// back no newer one, and of words of one time the last in the request counts.
//
// Locked in the order of ids, so that two statements cannot deadlock. Plan: each client by its key; see `preparedStatement`.
const tell = preparedStatement(
  'tell-consents',
  `with input as (
     select i.*, c.id as client_id, least(now(), coalesce(i.occurred_at, now())) as granted_at
     from rows from (json_to_recordset($1) as (
       "accountId" bigint, "clientId" bigint, "conversionId" bigint, "isByEmail" boolean, "occurredAt" timestamptz,
       "adUserData" boolean, "adPersonalization" boolean)) with ordinality
       as i (account_id, named_id, conversion_id, is_by_email, occurred_at, user_data, personalization, place)
     cross join lateral (
       select id from client
       where id = coalesce(i.named_id, (
           select client_id from conversion where id = i.conversion_id and account_id + 0 = i.account_id limit 1))
         and account_id + 0 = i.account_id limit 1) c
   ), persons as (
     select i.*, its.id
     from input i
     cross join lateral (
       select i.client_id as id
       union
       select same.id from client c
       cross join lateral (
         ${samePerson('not c.is_test', 'email_hash')}
         union all
         ${samePerson('c.is_test', 'test_email_hash')}) same
       where c.id = i.client_id and i.is_by_email) its
   ), words as materialized (
     select id, account_id,
            (array_agg(user_data order by user_data_at desc, place desc) filter (where user_data is not null))[1] as user_data,
            max(user_data_at) filter (where user_data is not null) as user_data_at,
            (array_agg(personalization order by personalization_at desc, place desc)
               filter (where personalization is not null))[1] as personalization,
            max(personalization_at) filter (where personalization is not null) as personalization_at
     from persons
     cross join lateral (
       select case when user_data then granted_at else now() end as user_data_at,
              case when personalization then granted_at else now() end as personalization_at) times
     group by id, account_id
   ), locked as materialized (
     select id from client where id = any(array(select id from words)) order by id for update
   )
   update client c set
     ad_user_data = case when w.user_data_at >= coalesce(c.ad_user_data_at, '-infinity') then w.user_data else c.ad_user_data end,
     ad_user_data_at = greatest(c.ad_user_data_at, w.user_data_at),
     ad_personalization = case
       when w.personalization_at >= coalesce(c.ad_personalization_at, '-infinity') then w.personalization
       else c.ad_personalization end,
     ad_personalization_at = greatest(c.ad_personalization_at, w.personalization_at)
   from words w
   where c.id = any(array(select id from locked)) and c.id = w.id and c.account_id + 0 = w.account_id`,
);

/** Keeps what an advertiser told. Needs the transaction that registers the clients and sales: no worker sees these without it. */
export const tellConsents = async (on: Queryable, told: readonly ToldWords[]): Promise<void> => {
  if (told.length > 0) await tell(on, [JSON.stringify(told)]);
};

/** What an advertiser tells of the visitor of a lead that is there. */
interface ToldLead extends ConsentWords {
  readonly accountId: number;
  readonly leadId: number;
  readonly globalPrivacyControl: boolean;
}

// The words are kept as those of a new lead: see `leadConsent` of reported.ts. Locked in the order of ids, so that two statements
// cannot deadlock. Plan: each lead by its key; see `preparedStatement`.
const changeLeads = preparedStatement<{ id: number }>(
  'change-consents-of-leads',
  `with input as materialized (
     select distinct on (i.lead_id) i.*
     from rows from (json_to_recordset($1) as (
       "accountId" bigint, "leadId" bigint, "adUserData" boolean, "adPersonalization" boolean, "globalPrivacyControl" boolean))
       with ordinality as i (account_id, lead_id, user_data, personalization, gpc, place)
     order by i.lead_id, i.place desc
   ), locked as materialized (
     select id, account_id, consent, consent_scope, ad_user_data, global_privacy_control from lead
     where id = any(array(select lead_id from input)) order by id for update
   ), words as (
     select l.id, l.account_id, i.gpc or l.global_privacy_control as gpc,
            coalesce(i.user_data, case when l.consent then true
                                      when l.consent is false and l.consent_scope is distinct from 'personalisation' then false
                                      else l.ad_user_data end) as user_data,
            coalesce(i.personalization, case when l.consent then true when l.consent_scope = 'personalisation' then false end) as personalization
     from locked l join input i on i.lead_id = l.id and i.account_id = l.account_id
   ), said as materialized (
     select id, account_id, gpc,
            case when not user_data or not personalization then false when user_data and personalization then true end as consent,
            case when not user_data then 'sharing' when not personalization then 'personalisation'
                 when user_data and personalization then 'sharing' end as scope,
            case when user_data and personalization is not true then true end as ad_user_data
     from words
   )
   update lead l set consent = s.consent, consent_scope = s.scope, ad_user_data = s.ad_user_data, global_privacy_control = s.gpc
   from said s
   where l.id = any(array(select id from said)) and l.id = s.id and l.account_id + 0 = s.account_id
     and row(l.consent, l.consent_scope, l.ad_user_data, l.global_privacy_control)
         is distinct from row(s.consent, s.scope, s.ad_user_data, s.gpc)
   returning l.id`,
);

// Plan: each client by its lead; see `preparedStatement`.
const findClients = preparedStatement<{ lead_id: number; client_id: number }>(
  'find-clients-of-told-leads',
  `select l.id as lead_id, c.id as client_id
   from unnest($1::bigint[]) l (id) cross join lateral unnest(clients_of_lead(l.id)) c (id)`,
);

/** Changes what leads say of consent, and what their clients do: the newest word counts for all that is not sent yet. Silence changes nothing. */
export const tellLeads = async (on: Queryable, leads: readonly ToldLead[]): Promise<void> => {
  const told = leads.filter((lead) => saysAnything(lead) || lead.globalPrivacyControl);
  if (told.length === 0) return;
  const changed = new Set((await changeLeads(on, [JSON.stringify(told)])).map(({ id }) => id));
  if (changed.size === 0) return;
  const clients = await findClients(on, [[...changed]]);
  await tellConsents(
    on,
    told.flatMap(({ accountId, leadId, adUserData, adPersonalization }) => {
      if (!changed.has(leadId) || !saysAnything({ adUserData, adPersonalization })) return [];
      return clients.flatMap(({ lead_id: id, client_id: clientId }) =>
        id === leadId ? [{ accountId, clientId, adUserData, adPersonalization }] : [],
      );
    }),
  );
};
