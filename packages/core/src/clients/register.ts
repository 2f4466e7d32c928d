import { setTimeout as pause } from 'node:timers/promises';
import {
  type AccountMode,
  consentSchema,
  type ConsentWords,
  consentWordsOf,
  contactEmailOf,
  contactEmailSchema,
  emailKeyIn,
  emailWarnings,
  leadReferenceSchema,
  optionalReference,
  phoneNumberSchema,
  optionalText,
  phoneKey,
  Refusal,
  suppressedMessage,
  type Warning,
  warningSchema,
} from '@leadback/domain';
import {
  type AccountContacts,
  afterCommit,
  byteaText,
  type ContactCipher,
  preparedStatement,
  type Queryable,
  type Pool,
} from '@leadback/db';
import {
  type AccountKeys,
  type ContactData,
  contactOfClient,
  type ContactOwner,
  decryptContact,
  encryptContact,
  lookupHash,
  personHashes,
  isGenuineLeadReference,
  type Keys,
} from '@leadback/domain/keys';
import { isUsablePhoneNumber } from '@leadback/platforms/phone-number';
import { z } from 'zod';
import { enqueuedLeads, type NewParcel, receives } from '../delivery/enqueue.ts';
import { saysAnything, tellConsents } from '../leads/consent.ts';
import { someLeadsUnderWay, leadUnnoticedMs } from '../leads/landing-instances.ts';
import { tryAgain, type Tried, type Idempotence, onceEach } from '../once.ts';
import { byReference, ofInput, type RegistrarOptions } from '../registering.ts';

/** References and emails of tests are separate from live ones. */
export interface NewClient extends AccountMode, ConsentWords {
  readonly leadReference: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly emailKey?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly externalReference?: string | undefined;
  /** Whether the first statement lost to another transaction, or left out the account. */
  readonly isSecondTry?: boolean;
}

/** Why there is no client. */
export const refusedClientSchema = z.discriminatedUnion('kind', [
  // of another account · of a test, for a live client · of no account, while some leads are not written yet · of no account · of an erased person
  z.object({ kind: z.enum(['lead-unknown', 'lead-of-test', 'lead-under-way', 'lead-missing']) }),
  z.object({ kind: z.literal('suppressed'), erasureId: z.string() }),
]);

const registeredSchema = z.object({ id: z.number(), warnings: z.array(warningSchema).optional() });

/** Also the stored form for repeated requests. */
const insertedClientSchema = z.discriminatedUnion('kind', [
  // `traceParent`: of the lead of a new client, if it is traced
  registeredSchema.extend({ kind: z.literal('created'), traceParent: z.string().optional() }),
  // `isLeadUnderWay`: its new lead is not known, while some leads are not written yet
  registeredSchema.extend({ kind: z.literal('known'), isLeadUnderWay: z.boolean() }),
  refusedClientSchema,
]);

export type InsertedClient = Readonly<z.infer<typeof insertedClientSchema>>;

interface Row {
  /** has-lead-deliveries: not tried, because the account has connections that receive leads. */
  kind: InsertedClient['kind'] | 'raced' | 'has-lead-deliveries';
  id: number | null;
  trace_parent: string | null;
  /** Of a known client. */
  is_lead_under_way: boolean | null;
  /** Of a known client: whether its new lead is none of the account. */
  is_lead_ignored: boolean | null;
  /** Of the account, if contact data was sent. */
  country: string | null;
  known_contact: Buffer | null;
  /** Of a known client: when the visitor of its new lead agreed to sharing, if the advertiser said so. */
  agreed_at: Date | null;
  /** The reference of its first lead; null: nothing was sent that could be filled in. */
  contact_owner: string | null;
  /** Of an erased person, whom the account does not register again. */
  erasure_id: string | null;
  /** In the first row only. */
  parcels: NewParcel[] | null;
}

const clientByReference = byReference({
  table: 'client',
  as: 'r',
  columns: 'r.id, r.lead_id, r.contact',
  ...ofInput,
  reference: 'i.external_reference',
});

// Clients that arrive together share one statement and one commit, and so do the deliveries of their leads. The unique
// index decides who creates a reference: a loser finds the winner among `known` (committed before), or has lost to another
// row of this statement or has just waited for another transaction to commit it ('raced': it is not in this statement's
// snapshot; the next one finds it).
//
// A known client that comes with another lead has clicked again: the lead becomes one of its leads.
// Sorted, so that two statements cannot deadlock on each other's references. A lead of another account is reported as
// unknown at once: this is the only read beyond the account, and it reveals no more than that.
//
// Its lead is locked against retention, which deletes leads without a client. A foreign key would do this with a query of
// its own for each client.
//
// The expressions for deliveries cost a half more CPU, even if there are none to create, so that accounts without
// connections that are told of leads have a statement without them. It leaves out other accounts: their clients are tried
// again.
//
// Plan: of each reference one entry of an index; see `preparedStatement`.
const statement = ({ hasLeads }: { readonly hasLeads: boolean }): string => `with input as (
     select *,
            case when person_hashes is not null then (
              select e.erasure_id from erased_key e
              where e.account_id = i.account_id and e.hash = any(person_hashes) and e.asked_by <> 'visitor'
                and e.allowed_at is null limit 1) end as suppressed_by
     from rows from (json_to_recordset($1) as (
       "accountId" bigint, "leadReference" text, "emailHash" text,
       "externalReference" text, "isTest" boolean, contact bytea, "personHashes" text[], "phoneHash" text)) with ordinality
       as i (account_id, lead_reference, email_hash, external_reference, is_test, contact, person_hashes, phone_hash, place)
   ), known as materialized (
     select i.place, i.account_id, c.*, again.lead_id as new_lead_id, case when again.ad_user_data then again.created_at end as agreed_at
     from input i
     cross join lateral (
       ${clientByReference}
       limit 1
     ) c
     left join lateral (
       select id as lead_id, ad_user_data, created_at from lead
       where reference = i.lead_reference and account_id = i.account_id and id <> c.lead_id and (i.is_test or not is_test)
       limit 1 for key share
     ) again on true
   ), clicked_again as (
     insert into client_lead (client_id, lead_id, account_id)
     select id, new_lead_id, account_id from known where new_lead_id is not null order by id, new_lead_id
     on conflict do nothing
   ), fresh as (
     select i.*, l.*, nextval('client_id_seq') as id
     from input i
     cross join lateral (
       select id as lead_id, trace_parent, landing_page_id, campaign_of(click_parameters, click_times) as campaign,
              ad_user_data, case when ad_user_data then created_at end as ad_user_data_at
       from lead where reference = i.lead_reference and account_id = i.account_id and (i.is_test or not is_test)
       limit 1 for key share
     ) l
     where i.place not in (select place from known) and i.suppressed_by is null${hasLeads ? '' : ` and not ${receives('lead', 'i.account_id')}`}
   ), inserted as (
     insert into client (id, account_id, lead_id, contact, is_test, email_hash, test_email_hash, external_reference,
                         test_reference, landing_page_id, campaign, trace_parent, ad_user_data, ad_user_data_at, phone_hash)
     select id, account_id, lead_id, contact, is_test,
            case when not is_test then email_hash end, case when is_test then email_hash end,
            case when not is_test then external_reference end, case when is_test then external_reference end,
            landing_page_id, campaign, trace_parent, ad_user_data, ad_user_data_at, phone_hash
     from fresh order by account_id, external_reference, is_test, place
     on conflict do nothing
     returning id
   ), created as (
     select f.*, null::timestamptz as occurred_at from fresh f join inserted using (id)
   )${hasLeads ? `, ${enqueuedLeads}` : ''}
   select case when k.id is not null then 'known'
               when c.id is not null then 'created'
               ${hasLeads ? '' : `when ${receives('lead', 'i.account_id')} then 'has-lead-deliveries'`}
               when i.suppressed_by is not null then 'suppressed'
               when f.id is null and (select is_test and account_id = i.account_id from lead where reference = i.lead_reference limit 1) then 'lead-of-test'
               when f.id is null and (select true from lead where reference = i.lead_reference limit 1) then 'lead-unknown'
               when f.id is null and ${someLeadsUnderWay} then 'lead-under-way'
               when f.id is null then 'lead-missing'
               else 'raced' end as kind,
          coalesce(k.id, c.id) as id, case when c.id is not null then f.trace_parent end as trace_parent, i.suppressed_by as erasure_id,
          case when k.id is not null and k.new_lead_id is null then ${someLeadsUnderWay}
                 and (select true from lead where reference = i.lead_reference limit 1) is null end as is_lead_under_way,
          case when k.id is not null and k.new_lead_id is null then (
            select reference from lead where id = k.lead_id) is distinct from i.lead_reference end as is_lead_ignored,
          case when i.contact is not null then (select country from account where id = i.account_id) end as country,
          k.agreed_at, k.contact as known_contact, case when k.id is not null and i.contact is not null and i.suppressed_by is null then (
            select reference from lead where id = k.lead_id) end as contact_owner,
          ${hasLeads ? 'case when i.place = 1 then (select parcels from new_parcels) end' : 'null'} as parcels
   from input i
   left join known k using (place)
   left join fresh f using (place)
   left join created c using (place)
   order by i.place`;

const insert = preparedStatement<Row>('register-clients', statement({ hasLeads: false }));
const insertWithLeads = preparedStatement<Row>('register-clients-with-leads', statement({ hasLeads: true }));

const isSamePhone = (one: string, other: string): boolean => {
  const key = phoneKey(one);
  return one === other || (key !== undefined && key === phoneKey(other));
};

const isSameEmail = (one: string, other: string): boolean => one === other || emailKeyIn(one) === emailKeyIn(other);

/** The fields of a known client that were sent with another value, which is not kept. */
const keptFields = (known: ContactData, { name, email, phoneNumber }: NewClient): string[] => [
  ...(name !== undefined && known.name !== undefined && name !== known.name ? ['name'] : []),
  ...(email !== undefined && known.email !== undefined && !isSameEmail(email, known.email) ? ['email'] : []),
  ...(phoneNumber !== undefined && known.phone !== undefined && !isSamePhone(phoneNumber, known.phone)
    ? ['phoneNumber']
    : []),
];

/** What only the statement knows. */
const warningsOf = (row: Row, { phoneNumber }: NewClient, kept: readonly string[]): Warning[] => [
  ...(row.country !== null && phoneNumber !== undefined && !isUsablePhoneNumber(phoneNumber, row.country)
    ? [{ code: 'not-usable', field: 'phoneNumber' } as const]
    : []),
  ...kept.map((field) => ({ code: 'kept-first', field }) as const),
  ...(row.is_lead_ignored === true ? [{ code: 'lead-ignored', field: 'leadReference' } as const] : []),
];

const resultOf = (row: Row, told: readonly Warning[]): Tried<InsertedClient> => {
  const warnings = told.length === 0 ? undefined : [...told];
  const { kind, id, trace_parent: traceParent, erasure_id: erasureId } = row;
  if (kind === 'raced' || kind === 'has-lead-deliveries') return tryAgain;
  if (kind === 'suppressed') {
    if (erasureId === null) throw new Error('the erasure of a suppressed person has no id');
    return { kind, erasureId };
  }
  if (kind !== 'created' && kind !== 'known') return { kind };
  if (id === null) throw new Error(`client registration ${kind} has no id`);
  return kind === 'known'
    ? { kind, id, isLeadUnderWay: row.is_lead_under_way === true, warnings }
    : { kind, id, traceParent: traceParent ?? undefined, warnings };
};

// A client that was erased meanwhile has no reference any more, and one that another request has filled has another contact.
// Sorted, so that two statements cannot deadlock.
const fill = preparedStatement<{ id: number }>(
  'fill-clients',
  `with input as (
     select * from json_to_recordset($1) as ("clientId" bigint, "accountId" bigint, before bytea, contact bytea, "emailHash" text, "phoneHash" text)
   ), unchanged as materialized (
     select c.id from input i join client c on c.id = i."clientId" and c.account_id = i."accountId"
     where c.contact is not distinct from i.before and num_nonnulls(c.external_reference, c.test_reference) = 1
     order by c.id for update of c
   )
   update client c set contact = i.contact,
     email_hash = case when c.is_test then c.email_hash else coalesce(c.email_hash, i."emailHash") end,
     test_email_hash = case when c.is_test then coalesce(c.test_email_hash, i."emailHash") else c.test_email_hash end,
     phone_hash = coalesce(c.phone_hash, i."phoneHash")
   from input i
   where c.id = any(array(select id from unchanged)) and c.id = i."clientId"
   returning c.id`,
);

interface FilledClient {
  readonly clientId: number;
  readonly accountId: number;
  readonly before: string | undefined;
  readonly contact: string;
  readonly emailHash: string | undefined;
  readonly phoneHash: string | undefined;
}

const knownContact = (keys: AccountKeys, owner: ContactOwner, contact: Buffer | null): ContactData | undefined => {
  try {
    return contact === null ? {} : decryptContact(keys, owner, contact);
  } catch {
    return undefined; // with a key of SECRETS_KEY that this process lacks
  }
};

/** By which a sale without an email finds its client. */
export const phoneHashOf = (keys: AccountKeys, phoneNumber: string | undefined): string | undefined => {
  const key = phoneNumber === undefined ? undefined : phoneKey(phoneNumber);
  return key === undefined ? undefined : lookupHash(keys, 'phone', key);
};

interface ComparedClient {
  /** With what it lacks and the request has. Undefined: it lacks nothing of it. */
  readonly filled?: FilledClient;
  /** What the request has otherwise: what is known never changes. */
  readonly kept: readonly string[];
}

/** Compares a known client with a request. */
const comparedClient = (
  { id, contact_owner: reference, known_contact: before }: Row,
  client: NewClient,
  { keys }: AccountContacts,
): ComparedClient => {
  if (!keys || id === null || reference === null) return { kept: [] };
  const { accountId, name, email, emailKey: key, phoneNumber: phone } = client;
  const owner = contactOfClient(accountId, reference);
  const known = knownContact(keys, owner, before);
  if (known === undefined) return { kept: [] };
  const kept = keptFields(known, client);
  const lacked = Object.entries({ name, email, phone }).filter(
    ([field, value]) => value !== undefined && !(field in known),
  );
  if (lacked.length === 0) return { kept };
  const contact = encryptContact(keys, owner, { ...known, ...Object.fromEntries(lacked) });
  if (contact === undefined) throw new Error('a contact with fields was not encrypted');
  const filled = {
    clientId: id,
    accountId,
    before: before === null ? undefined : byteaText(before),
    contact: byteaText(contact),
    emailHash: key !== undefined && !('email' in known) ? lookupHash(keys, 'email', key) : undefined,
    phoneHash: 'phone' in known ? undefined : phoneHashOf(keys, phone),
  };
  return { filled, kept };
};

interface StoredClient extends Omit<NewClient, 'name' | 'email' | 'emailKey' | 'phoneNumber'> {
  readonly emailHash?: string | undefined;
  readonly phoneHash?: string | undefined;
  readonly contact?: string | undefined;
  /** By which it is found among erased persons, if the account does not register them again. */
  readonly personHashes?: readonly string[] | undefined;
}

const isGiven = (text: string | undefined): text is string => text !== undefined;

// tests never see live data, and so nothing of what was erased there
const hashesOf = ({ isTest, email, phoneNumber }: NewClient, { keys, suppressesErased }: AccountContacts) =>
  suppressesErased && keys && !isTest
    ? personHashes(keys, { emails: [email].filter(isGiven), phoneNumbers: [phoneNumber].filter(isGiven) })
    : undefined;

const storedClient = (client: NewClient, contacts: AccountContacts): StoredClient => {
  const { keys } = contacts;
  const { name, email, emailKey: key, phoneNumber: phone, ...stored } = client;
  const { accountId, leadReference } = client;
  const contact = keys && encryptContact(keys, contactOfClient(accountId, leadReference), { name, email, phone });
  return {
    ...stored,
    emailHash: keys && key && lookupHash(keys, 'email', key),
    phoneHash: keys && phoneHashOf(keys, phone),
    contact: contact && byteaText(contact),
    personHashes: hashesOf(client, contacts),
  };
};

/**
 * Inserts clients, with the deliveries of their leads, or finds those whose external reference is registered, adds a further
 * lead to these and fills in what they lack. Returns one result per client, in order, and the new parcels.
 */
export const insertClients = async (on: Queryable, clients: readonly NewClient[], contacts: ContactCipher) => {
  const contactsOf = await contacts.ofAccounts(
    on,
    clients.map(({ accountId }) => accountId),
  );
  const stored = clients.map((client) => storedClient(client, contactsOf(client.accountId)));
  // one statement for all, so that without a transaction they are committed together, too
  const run = clients.some(({ isSecondTry }) => isSecondTry === true) ? insertWithLeads : insert;
  const rows = await run(on, [JSON.stringify(stored)]);
  const compared = clients.map((client, index) => {
    const row = rows[index];
    if (row === undefined) throw new Error('fewer rows than clients');
    return { row, client, ...comparedClient(row, client, contactsOf(client.accountId)) };
  });
  const lacking = compared.flatMap(({ filled }) => filled ?? []);
  const filled = lacking.length === 0 ? [] : await fill(on, [JSON.stringify(lacking)]);
  const lost = new Set(lacking.map(({ clientId }) => clientId));
  for (const { id } of filled) lost.delete(id);
  const inserted = compared.map(({ row, client, kept }) =>
    row.id !== null && lost.has(row.id) ? tryAgain : resultOf(row, warningsOf(row, client, kept)),
  );
  // without a transaction, workers may see less consent than there is, for a moment
  const agreed = rows.flatMap(({ id, agreed_at: agreedAt }, index) => {
    const client = clients[index];
    if (client === undefined || id === null || agreedAt === null) return [];
    return [{ accountId: client.accountId, clientId: id, adUserData: true, occurredAt: agreedAt.toISOString() }];
  });
  await tellConsents(on, [
    ...agreed,
    ...clients.flatMap(({ accountId, adUserData, adPersonalization }, index) => {
      const result = inserted[index];
      const isRegistered = result !== undefined && result !== tryAgain && 'id' in result;
      return isRegistered && saysAnything({ adUserData, adPersonalization })
        ? [{ accountId, clientId: result.id, adUserData, adPersonalization }]
        : [];
    }),
  ]);
  return {
    inserted,
    parcels: rows[0]?.parcels ?? [],
  };
};

/** A client as callers send it. */
export const clientSchema = z.object(
  {
    leadReference: leadReferenceSchema.meta({
      description: 'The value of `serviceId` in the URL with which the visitor reached your page, unchanged.',
    }),
    name: optionalText(200).meta({ description: 'Full name.' }),
    email: contactEmailSchema.meta({
      description:
        'Email address. Conversions may identify the client by it; case and surrounding spaces do not matter. Of several addresses the first counts. A text that is no address is kept, but not used.',
    }),
    phoneNumber: phoneNumberSchema.meta({
      description: 'Phone number, with country code or in the national format of the country of your account.',
    }),
    externalReference: optionalReference(255).meta({
      description:
        'Your own identifier for the client. Unique among your clients of one mode (live or test); conversions may identify the client by it.',
    }),
    consent: consentSchema.meta({
      description:
        'What the person told you, for all that was not sent yet. The newest word counts, yours or that of your landing page; send it again with the `externalReference` when it changes. What you leave out changes nothing.',
    }),
  },
  { error: 'expected a JSON object' },
);

type Parsed = Readonly<z.infer<typeof clientSchema>>;

type ClientInput = Pick<Parsed, 'leadReference'> & Partial<Parsed>;

export const newClient = (mode: AccountMode, { consent, ...input }: ClientInput): NewClient => ({
  ...input,
  ...mode,
  ...consentWordsOf(consent),
  email: contactEmailOf(input.email),
  emailKey: emailKeyIn(input.email),
});

/** What shows without the database. */
export const sentClientWarnings = ({ email }: ClientInput): Warning[] => emailWarnings(email);

/** How clients are registered once. `route`: the scope of idempotency keys. `onParcels`: called before the commit. */
export const clientIdempotence = (
  route: string,
  contacts: ContactCipher,
  onParcels: (on: Queryable, parcels: readonly NewParcel[]) => void,
): Idempotence<NewClient, InsertedClient> => ({
  route: ({ isTest }) => (isTest ? `test ${route}` : route),
  // the route contains the mode; fingerprints stay what they were before clients had one
  fingerprinted: (client) => ({ ...client, isTest: undefined, isSecondTry: undefined }),
  async run(on, clients) {
    const { inserted, parcels } = await insertClients(on, clients, contacts);
    if (parcels.length > 0) onParcels(on, parcels);
    return inserted;
  },
  schema: insertedClientSchema,
  isFinal: (client) => client.kind === 'created' || (client.kind === 'known' && !client.isLeadUnderWay),
});

interface RegisteredClient {
  readonly id: number;
  readonly outcome: 'created' | 'known';
  readonly warnings: readonly Warning[];
  /** Of the lead of a new client, if it is traced. */
  readonly traceParent: string | undefined;
}

// asked of references that are not genuine: a genuine one may have it by chance
const hasOneCase = (reference: string): boolean => /^[0-9a-z]{22}$/.test(reference) || /^[0-9A-Z]{22}$/.test(reference);

/**
 * The client, or why there is none. Undefined: the reference is genuine, and no landing app is known to hold its lead. A known
 * client waits for a new lead that is genuine and on its way, because its click may count; any other reference that names no
 * lead is ignored.
 */
export const clientOrRefusal = (
  result: InsertedClient,
  { leadReference }: NewClient,
  referenceKeys: Keys,
): RegisteredClient | Refusal | undefined => {
  if (result.kind === 'created') {
    const { id, warnings = [], traceParent } = result;
    return { id, outcome: 'created', warnings, traceParent };
  }
  const isGenuine = isGenuineLeadReference(referenceKeys, leadReference);
  if (result.kind === 'known' && !(result.isLeadUnderWay && isGenuine)) {
    return { id: result.id, outcome: 'known', warnings: result.warnings ?? [], traceParent: undefined };
  }
  if (!isGenuine) return new Refusal(hasOneCase(leadReference) ? 'lead-unknown.case' : 'lead-unknown.damaged');
  switch (result.kind) {
    case 'suppressed':
      return new Refusal('suppressed', { message: suppressedMessage(result.erasureId) });
    case 'known':
    case 'lead-under-way':
      return new Refusal('lead-pending');
    case 'lead-unknown':
      return new Refusal('lead-unknown');
    case 'lead-of-test':
      return new Refusal('lead-unknown.test');
    case 'lead-missing':
      return undefined;
  }
};

const retryEveryMs = 500;

/**
 * Holds the requests that wait to share a statement. Returns a function that registers a client for a lead of the account,
 * with a delivery to each platform connection that is told of leads, or finds the client of the same mode with the same
 * external reference (looked up before the lead), which gets the lead as one more and the contact data that it lacks. Throws `lead-unknown` if no lead of the account has the reference, or `lead-pending` while the lead may still be buffered. Retries a genuine reference without a lead
 * until a landing app that holds it would have been noticed: callers give up after `lead-unknown`. A missing lead is
 * never stored for a repeated request, because it may arrive later.
 */
export const clientRegistrar = (
  pool: Pool,
  { referenceKeys, contacts, announce }: RegistrarOptions & { readonly referenceKeys: Keys },
) => {
  const register = onceEach(pool, {
    ...clientIdempotence('client', contacts, (on, parcels) => afterCommit(on, () => announce(parcels))),
    needsTransaction: saysAnything,
    secondTry: (client) => ({ ...client, isSecondTry: true }),
    accept(client, item) {
      const registered = clientOrRefusal(client, item, referenceKeys);
      if (registered instanceof Refusal) throw registered;
      return registered;
    },
  });
  return async (mode: AccountMode, input: ClientInput, idempotencyKey?: string) => {
    const item = newClient(mode, input);
    const sent = sentClientWarnings(input);
    for (const until = performance.now() + leadUnnoticedMs; ; await pause(retryEveryMs)) {
      const { result: client, isRepeated } = await register({ item, idempotencyKey });
      if (client) return { ...client, warnings: [...sent, ...client.warnings], isRepeated };
      if (performance.now() > until) throw new Refusal('lead-unknown');
    }
  };
};
