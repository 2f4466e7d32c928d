import {
  type AccountMode,
  type ConsentWords,
  type Currency,
  testEventIdPrefix,
  type Warning,
  warningSchema,
} from '@leadback/domain';
import { type ContactCipher, preparedStatement, type Queryable } from '@leadback/db';
import { lookupHash } from '@leadback/domain/keys';
import { z } from 'zod';
import { type NewClient, refusedClientSchema } from '../clients/register.ts';
import { countedLead, furtherLeads, leadIdsOf, sameEmailMax } from '../leads/attribution.ts';
import { byReference, ofInput, roundedIn } from '../registering.ts';
import { enqueued, enqueuedOfOneClick, connectionsFor, type NewParcel } from '../delivery/enqueue.ts';
import type { Tried } from '../once.ts';
import { eventRepeatedSchema, repeatedSchema, type Taken, type TakenBy, withFirsts } from './compare.ts';

interface WithEmailKey {
  readonly accountId: number;
  readonly emailKey?: string | undefined;
}

/** The hashes by which emails are found, in order; a forgotten account finds none. */
export const emailHashesOf = async (
  on: Queryable,
  items: readonly WithEmailKey[],
  contacts: ContactCipher,
): Promise<readonly (string | undefined)[]> => {
  const searched = items.filter((item) => item.emailKey !== undefined);
  if (searched.length === 0) return [];
  const contactsOf = await contacts.ofAccounts(
    on,
    searched.map(({ accountId }) => accountId),
  );
  return items.map(({ accountId, emailKey: key }) => {
    const { keys } = contactsOf(accountId);
    return keys && key !== undefined ? lookupHash(keys, 'email', key) : undefined;
  });
};

/** Clients, references and event ids of tests are separate from live ones. */
export interface NewConversion extends AccountMode, ConsentWords {
  readonly clientExternalReference?: string | undefined;
  readonly emailKey?: string | undefined;
  /** Decimal; rounded half up to the minor unit of the currency when it is stored. */
  readonly amount: string;
  readonly currency: Currency;
  readonly externalReference?: string | undefined;
  /** The event id that the partner's own pixel sends for the same sale. */
  readonly eventId?: string | undefined;
  /** The partner's own name for the event. */
  readonly eventName?: string | undefined;
  /** ISO 8601. Default: now. */
  readonly occurredAt?: string | undefined;
  /** The part of the amount that the partner earns, as the amount. */
  readonly netAmount?: string | undefined;
  /** What was sold, in JSON: the fingerprint of a request leaves out the fields of lists. */
  readonly items?: string | undefined;
  /** Who buys, if no client matches: of a sale that was sent with a lead reference. */
  readonly buyer?: NewClient | undefined;
  /** Whether the first statement lost to a transaction that its snapshot does not include. */
  readonly isSecondTry?: boolean;
}

/** Also the stored form for repeated requests. */
export const insertedConversionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    id: z.number(),
    leadId: z.number(),
    /** Of the lead, if it is traced. */
    traceParent: z.string().optional(),
    warnings: z.array(warningSchema).optional(),
  }),
  z.object({ kind: z.enum(['client-unknown', 'occurred-out-of-range']) }),
  z.object({ kind: z.literal('currency-not-allowed'), allowed: z.array(z.string()) }),
  // no client matches, and the buyer was not registered: see the results of clients
  z.object({ kind: z.literal('buyer-refused'), of: refusedClientSchema }),
  repeatedSchema,
  eventRepeatedSchema,
]);

export type InsertedConversion = Readonly<z.infer<typeof insertedConversionSchema>>;

interface Row {
  is_acceptable: boolean;
  /** The currencies of the account; null: that of the conversion is one of them. */
  allowed_currencies: string[] | null;
  is_matched: boolean;
  id: number | null;
  lead_id: number | null;
  trace_parent: string | null;
  /** Whether the identifiers name another client, too. */
  is_ambiguous: boolean | null;
  /** Whether the lead reference of the buyer is none of the client's. */
  is_lead_ignored: boolean | null;
  /** Of one that was not inserted: the event id that its partner chose. */
  wanted_event_id: string | null;
  /** In the first row only. */
  parcels: NewParcel[] | null;
}

const columnsOf = (client: string): string =>
  ['id', 'lead_id', 'landing_page_id', 'campaign', 'trace_parent', 'email_hash', 'test_email_hash']
    .map((column) => `${client}.${column}`)
    .join(', ');

/** Of the leads of a client, this many of the newest are looked at. */
const leadsMax = 100;

const clientByReference = byReference({
  table: 'client',
  as: 'r',
  columns: `${columnsOf('r')}, 1 as rank`,
  ...ofInput,
  reference: 'i.client_external_reference',
});

const othersByEmail = (isOfMode: string, column: string) => `
          select unnest(${leadIdsOf('e')}) as id
          from (select o.id, o.account_id, o.lead_id from client o
                where ${isOfMode} and o.account_id = i.account_id and o.${column} = i.email_hash and o.id < client.id
                order by o.id desc limit ${sameEmailMax}) e`;

// If an email names several clients, it names one person, and the leads of all of them are the person's.
const leadsOfOthers = `case when client.rank = 2 then array(
         (${othersByEmail('not i.is_test', 'email_hash')})
         union all
         (${othersByEmail('i.is_test', 'test_email_hash')})) end`;

// The leads of a person after the first of the client, if there are any: they are rare, and so nothing more is read for most
// sales.
const furtherLeadIds = `array(
         ${furtherLeads('client.id', 'i.account_id')} order by lead_id desc limit ${leadsMax}) || case when cardinality(others.lead_ids) > 0 then array(
         select id from unnest(others.lead_ids) id where id <> client.lead_id) end`;

const clientWithEmail = (isOfMode: string, column: string) => `
            (select true from client o
             where ${isOfMode} and o.account_id = m.account_id and o.${column} = m.email_hash order by o.id desc limit 1)`;

// Of clients with one email, the one whom a reference names is meant, however many have it.
const namesOthers = `case
            when m.rank = 2 then m.has_others
            when m.known_email_hash is distinct from m.email_hash then coalesce(${clientWithEmail('not m.is_test', 'email_hash')},${clientWithEmail('m.is_test', 'test_email_hash')}, false) end`;

const isAlone = (isOfMode: string, column: string) => `not exists (
           select from client o
           where ${isOfMode} and o.account_id = i.account_id and o.${column} = i.email_hash and o.id < client.id)`;

// the newest client with an email
export const clientsByEmail = `(select ${columnsOf('e')}, 2 from client e
        where not i.is_test and e.account_id = i.account_id and e.email_hash = i.email_hash order by e.id desc limit 1)
       union all
       (select ${columnsOf('e')}, 2 from client e
        where i.is_test and e.account_id = i.account_id and e.test_email_hash = i.email_hash order by e.id desc limit 1)`;

const theClient = `
       ${clientByReference}
       union all
       ${clientsByEmail}
       order by rank, id desc limit 1`;

const matchedWithOneClick = (
  client: string,
  { rank, isAlone: alone }: { readonly rank: string; readonly isAlone: string },
) => `matched as materialized (
     select i.*, ${roundedIn('i.currency', 'i.amount')} as rounded_amount, nextval('conversion_id_seq') as id,
            client.id as client_id, client.lead_id, client.lead_id as first_lead_id, client.trace_parent, client.landing_page_id,
            client.campaign, ${rank} as rank, coalesce(client.email_hash, client.test_email_hash) as known_email_hash,
            false as has_others, null::bigint[] as further_lead_ids
     from acceptable i
     cross join lateral (${client}
     ) client
     where (${furtherLeads('client.id', 'i.account_id')} order by lead_id limit 1) is null${alone}
   )`;

const byReferenceAlone = matchedWithOneClick(`${clientByReference} limit 1`, { rank: '1', isAlone: '' });

const withOneClick = matchedWithOneClick(theClient, {
  rank: 'client.rank',
  isAlone: `
       and case when client.rank = 2 then ${isAlone('not i.is_test', 'email_hash')}
                  and ${isAlone('i.is_test', 'test_email_hash')} else true end`,
});

const withClicks = `named as materialized (
     select i.*, client.id as client_id, client.lead_id as first_lead_id, client.trace_parent as first_trace_parent,
            client.landing_page_id as first_page_id, client.campaign as first_campaign, client.rank,
            coalesce(client.email_hash, client.test_email_hash) as known_email_hash,
            cardinality(others.lead_ids) > 0 as has_others, ${furtherLeadIds} as further_lead_ids
     from acceptable i
     cross join lateral (${theClient}
     ) client
     cross join lateral (select ${leadsOfOthers} as lead_ids offset 0) others
   ), matched as materialized (
     select i.*, ${roundedIn('i.currency', 'i.amount')} as rounded_amount, nextval('conversion_id_seq') as id, its.lead_ids,
            coalesce(counted.id, first_lead_id) as lead_id,
            case when counted.id is null then first_trace_parent else counted.trace_parent end as trace_parent,
            coalesce(counted.landing_page_id, first_page_id) as landing_page_id,
            coalesce(counted.campaign, first_campaign) as campaign
     from named i
     cross join lateral (select case when cardinality(further_lead_ids) > 0 then first_lead_id || further_lead_ids end as lead_ids) its
     left join lateral (
       select * from (${countedLead(
         'l.id, l.trace_parent, l.landing_page_id, campaign_of(l.click_parameters, l.click_times) as campaign',
         { accountId: 'i.account_id', leadIds: 'its.lead_ids', soldAt: 'coalesce(i.occurred_at, now())' },
       )}) l where its.lead_ids is not null
     ) counted on true
   )`;

const namesSeveral = `case when c.id is not null and m.email_hash is not null then ${namesOthers} end`;

const hasIgnoredLead = `case when c.id is not null and m.lead_reference is not null then (
            select true from lead
            where reference = m.lead_reference and account_id + 0 = m.account_id
              and (id = m.first_lead_id or id = any(m.further_lead_ids)) limit 1) is null end`;

interface Variant {
  /** Without emails and lead references. */
  readonly isByReference: boolean;
  readonly hasClicks: boolean;
}

const matchedBy = ({ isByReference, hasClicks }: Variant): string => {
  if (hasClicks) return withClicks;
  return isByReference ? byReferenceAlone : withOneClick;
};

const ofOnePerson = `of_one_person as (
     insert into client_lead (client_id, lead_id, account_id)
     select distinct client_id, lead, account_id from created cross join unnest(further_lead_ids) lead
     order by client_id, lead
     on conflict do nothing
   ),`;

const boughtAs = (isOfMode: string, column: string) => `exists (
           select from (select id from client o
                        where ${isOfMode} and o.account_id = m.account_id and o.${column} = m.known_email_hash
                        order by o.id desc limit ${sameEmailMax}) o
           cross join lateral (select from first_sale where client_id = o.id limit 1) its)`;

// The key of the table decides which of several sales at the same time is the first of a client. An email names one person: who bought
// as another client is no new customer. That is looked up for no other sale than the first.
const firstSales = `first_sales as (
     insert into first_sale (client_id, conversion_id)
     select distinct on (client_id) client_id,
            case when ${boughtAs('not m.is_test', 'email_hash')}
                   or ${boughtAs('m.is_test', 'test_email_hash')} then null else id end
     from created m
     where (select client_id from first_sale where client_id = m.client_id limit 1) is null
     order by client_id, place
     on conflict do nothing
   ),`;

export const isInRange = `(occurred_at is null or occurred_at between now() - interval '400 days' and now() + interval '5 minutes')`;

/** SQL: the event id that is stored for one that was chosen, over an `account` with its prefix. */
export const eventIdOf = (id: string, isTest: string): string =>
  `case when ${isTest} then '${testEventIdPrefix}' else '' end || case
              when starts_with(${id}, account.prefix) then ${id} else account.prefix || ${id} end`;

// Conversions that arrive together share one statement and one commit, and so do their deliveries. Sorted, so that two
// statements cannot deadlock on each other's references.
//
// Unique indexes decide which conversion gets a reference and an event id. What another conversion has is looked up by a
// statement of its own (compare.ts), which also sees what was committed meanwhile. If nobody has the reference, nor the event id
// that the partner chose, the reference is the event id of another sale: it is tried again, and then gets a UUID.
//
// An id that has the prefix of its account already is as its pixel sends it.
//
// Plan: of each reference and email one entry of an index; see `preparedStatement`.
//
// What emails, lead references and several clicks of a client cost is not paid where there are none: most sales are registered by a
// statement that leaves out those of a person who has more clicks than the first of the client.
const statement = ({ isByReference, hasClicks }: Variant): string => `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "clientExternalReference" text, "emailHash" text, amount numeric, currency text,
       "isTest" boolean, "externalReference" text, "eventId" text, "eventName" text, "occurredAt" timestamptz, "isSecondTry" boolean, "leadReference" text,
       "netAmount" numeric, items text))
       with ordinality as i (account_id, client_external_reference, email_hash, amount, currency, is_test,
                             external_reference, wanted_event_id, event_name, occurred_at, is_second_try, lead_reference, net_amount,
                             items, place)
   ), accounts as materialized (
     select id as account_id, event_id_prefix as prefix, currencies from account
     where id = any(array(select account_id from input))
   ), taking as materialized (
     ${connectionsFor('conversion', 'any(array(select account_id from accounts))')}
   ), acceptable as (
     select i.*, ${eventIdOf('its.id', 'is_test')} as event_id
     from input i
     cross join lateral (
       select case
                when is_second_try is true and wanted_event_id is null then gen_random_uuid()::text
                when wanted_event_id is not null then wanted_event_id
                when not starts_with(external_reference, '${testEventIdPrefix}') then external_reference
                else gen_random_uuid()::text end as id offset 0
     ) its
     cross join lateral (select prefix, currencies from accounts where account_id = i.account_id limit 1) account
     where i.currency = any(account.currencies)
       and ${isInRange}
   ), ${matchedBy({ isByReference, hasClicks })}, inserted as (
     insert into conversion (id, account_id, client_id, lead_id, amount, currency, is_test, external_reference, test_reference,
                             event_id, event_name, occurred_at, landing_page_id, campaign, is_untold, net_amount, items)
     select id, account_id, client_id, lead_id, rounded_amount, currency, is_test,
            case when not is_test then external_reference end, case when is_test then external_reference end,
            event_id, event_name, occurred_at, landing_page_id, campaign,
            not is_test and account_id <> all(array(select account_id from taking)),
            ${roundedIn('currency', 'net_amount')}, items::jsonb
     from matched order by account_id, event_id, external_reference, place
     on conflict do nothing
     returning id
   ), created as (
     select * from matched where id = any(array(select id from inserted))
   ), ${firstSales} ${hasClicks ? ofOnePerson : ''} ${hasClicks ? enqueued : enqueuedOfOneClick}
   select m.id is not null or exists (select from acceptable where place = i.place) as is_acceptable,
          case when m.id is null then (
            select currencies from accounts where account_id = i.account_id and i.currency <> all(currencies)) end as allowed_currencies,
          m.id is not null as is_matched, c.id, c.lead_id, c.trace_parent,
          ${isByReference ? 'null::boolean' : namesSeveral} as is_ambiguous,
          ${isByReference ? 'null::boolean' : hasIgnoredLead} as is_lead_ignored,
          case when m.wanted_event_id is not null and c.id is null then m.event_id end as wanted_event_id,
          case when i.place = 1 then (select parcels from new_parcels) end as parcels
   from input i
   left join matched m using (place)
   left join created c using (place)
   order by i.place`;

const insertByReference = preparedStatement<Row>(
  'register-conversions',
  statement({ isByReference: true, hasClicks: false }),
);
const insertByEmail = preparedStatement<Row>(
  'register-conversions-by-email',
  statement({ isByReference: false, hasClicks: false }),
);
const insertOfSeveralClicks = preparedStatement<Row>(
  'register-conversions-of-several-clicks',
  statement({ isByReference: false, hasClicks: true }),
);

/** Its person has several clicks, or it has no client. */
const isLeftOut = (row: Row | undefined): boolean => row !== undefined && row.is_acceptable && !row.is_matched;

/** What only the statement knows. */
const warningsOf = ({ is_ambiguous: isAmbiguous, is_lead_ignored: isLeadIgnored }: Row): Warning[] => [
  ...(isAmbiguous === true ? [{ code: 'two-clients', field: 'email' } as const] : []),
  ...(isLeadIgnored === true ? [{ code: 'lead-ignored', field: 'leadReference' } as const] : []),
];

export const someWarnings = (warnings: Warning[]) => (warnings.length === 0 ? {} : { warnings });

const resultOf = (row: Row): Exclude<InsertedConversion, TakenBy> | Taken => {
  if (row.allowed_currencies !== null) return { kind: 'currency-not-allowed', allowed: row.allowed_currencies };
  if (!row.is_acceptable) return { kind: 'occurred-out-of-range' };
  if (!row.is_matched) return { kind: 'client-unknown' };
  const { id, lead_id: leadId, trace_parent: traceParent } = row;
  if (id !== null && leadId !== null) {
    return { kind: 'created', id, leadId, traceParent: traceParent ?? undefined, ...someWarnings(warningsOf(row)) };
  }
  return { kind: 'taken', eventId: row.wanted_event_id };
};

export interface Inserted {
  readonly inserted: readonly Tried<InsertedConversion>[];
  readonly parcels: readonly NewParcel[];
}

/** What the statement reads of a conversion. */
export const searchedOf = (conversion: NewConversion, emailHash: string | undefined) => ({
  accountId: conversion.accountId,
  isTest: conversion.isTest,
  clientExternalReference: conversion.clientExternalReference,
  emailHash,
  amount: conversion.amount,
  currency: conversion.currency,
  externalReference: conversion.externalReference,
  eventId: conversion.eventId,
  eventName: conversion.eventName,
  occurredAt: conversion.occurredAt,
  netAmount: conversion.netAmount,
  items: conversion.items,
  isSecondTry: conversion.isSecondTry,
  leadReference: conversion.buyer?.leadReference,
});

export const insertOfKnown = async (
  on: Queryable,
  conversions: readonly NewConversion[],
  contacts: ContactCipher,
): Promise<Inserted> => {
  const hashes = await emailHashesOf(on, conversions, contacts);
  const searched = conversions.map((conversion, index) => searchedOf(conversion, hashes[index]));
  const isByReference = searched.every((one) => one.emailHash === undefined && one.leadReference === undefined);
  const insert = isByReference ? insertByReference : insertByEmail;
  const rows = await insert(on, [JSON.stringify(searched)]);
  const others = searched.filter((_, index) => isLeftOut(rows[index]));
  const further = others.length === 0 ? [] : await insertOfSeveralClicks(on, [JSON.stringify(others)]);
  const parcels = [...(rows[0]?.parcels ?? []), ...(further[0]?.parcels ?? [])];
  const all = others.length === 0 ? rows : rows.map((row) => (isLeftOut(row) ? (further.shift() ?? row) : row));
  return { inserted: await withFirsts(on, searched, all.map(resultOf)), parcels };
};
