import { emailKey, type ErasureAsker, type DestinationName } from '@leadback/domain';
import { type Contacts, preparedStatement, type Queryable, type PoolClient } from '@leadback/db';
import { contactOfClient, lookupHash } from '@leadback/domain/keys';
import type { ProvenLead } from './prove-lead.ts';

/** How one account identifies a person: it decides, so that a visitor's wish alone is none. */
export interface PersonToErase {
  readonly accountId: number;
  readonly decidedBy: Exclude<ErasureAsker, 'visitor'>;
  readonly email?: string | undefined;
  /** Of a live client, a test client, or both. */
  readonly externalReference?: string | undefined;
  /** Of the lead itself and of all clients registered from it. */
  readonly leadReference?: string | undefined;
  /** Test clients alone, and no leads. */
  readonly isTest?: boolean;
}

/** By what a person can be recognised. */
export interface FoundPerson {
  readonly accountId: number;
  readonly isTest: boolean;
  readonly clientIds: readonly number[];
  /** How many of the clients are tests. */
  readonly testClients: number;
  readonly leadIds: readonly number[];
  /** Of the clients, and as asked for. */
  readonly references: readonly string[];
  /** Of the clients, and as asked for. None if a browser asks: its user may have typed that of another person. */
  readonly emailKeys: readonly string[];
  /** By which these are found; none if the account was forgotten. */
  readonly emailHashes: readonly string[];
  /** Of leads with the email: the person's own. */
  readonly ownLeadReferences: readonly string[];
  /** As asked for: each client of it is the person. */
  readonly leadReference: string | null;
  /** Of the leads of the clients: another client of a lead may be another person. */
  readonly leadReferences: readonly string[];
  /** Whether the lead has clients who may be other persons than its browser. */
  readonly leavesClients: boolean;
}

interface FoundClient {
  readonly id: number;
  readonly lead_id: number;
  readonly lead_reference: string;
  readonly reference: string | null;
  readonly contact: Buffer | null;
  readonly data_key: Buffer | null;
  readonly is_test: boolean;
}

// a click belongs to one person, but a client whose email differs from the lead's is another person
const findClients = preparedStatement<FoundClient>(
  'find-clients-to-erase',
  `select c.id, c.lead_id, l.reference as lead_reference, coalesce(c.external_reference, c.test_reference) as reference,
          c.contact, (select data_key from account where id = $1) as data_key, c.is_test
   from (
     select id from client where account_id = $1 and email_hash between $2 and $2
     union select id from client where account_id = $1 and test_email_hash between $2 and $2
     union select id from client where account_id = $1 and external_reference between $3 and $3
     union select id from client where account_id = $1 and test_reference between $3 and $3
     union select its.id
     from unnest($4::bigint[]) own (id)
     cross join lateral (
       select id, coalesce(email_hash, test_email_hash) as email from client
       where lead_id = own.id and account_id + 0 = $1 offset 0) its
     where its.email is null
     union select its.id
     from (select id from lead where reference between $5 and $5 and account_id + 0 = $1 limit 1) asked
     cross join lateral (select id from client where lead_id = asked.id and account_id + 0 = $1 offset 0) its
   ) found
   cross join lateral (
     select * from client where id = found.id and account_id + 0 = $1 and (is_test or not $6) limit 1) c
   cross join lateral (select reference from lead where id = c.lead_id and account_id + 0 = $1 limit 1) l
   order by c.id`,
);

// several indexes begin with the account
const findLeads = preparedStatement<{ id: number; reference: string }>(
  'find-leads-to-erase',
  'select id, reference from lead where account_id = $1 and email_hash between $2 and $2 order by id',
);

const findLead = preparedStatement<{ id: number }>(
  'find-lead-to-erase',
  `select id from lead where reference between $2 and $2 and account_id + 0 = $1 limit 1`,
);

const emailKeyOf = (accountId: number, client: FoundClient, contacts: Contacts): string | null => {
  const { contact, data_key: dataKey, lead_reference: reference } = client;
  const owner = contactOfClient(accountId, reference);
  const { email } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return email === undefined ? null : emailKey(email);
};

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/**
 * Finds the clients with this email or reference, their leads, leads with this email, and clients of those without an
 * email; of a lead reference, the lead and all its clients; of a lead that its browser has proven, the lead, and its client
 * if that is the only one, but not what names no more than the email of this client.
 */
export const findPerson = async (
  on: Queryable,
  person: PersonToErase | ProvenLead,
  contacts: Contacts,
): Promise<FoundPerson> => {
  const { accountId, leadReference } = person;
  const { email, externalReference, isTest = false } = 'decidedBy' in person ? person : {};
  const key = email === undefined ? null : emailKey(email);
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  const hashesOf = (emails: readonly string[]) => (keys ? emails.map((one) => lookupHash(keys, 'email', one)) : []);
  const [hash = null] = key === null ? [] : hashesOf([key]);
  const leads = isTest ? [] : await findLeads(on, [accountId, hash]);
  const asked = isTest || leadReference === undefined ? [] : await findLead(on, [accountId, leadReference]);
  const ownLeadIds = leads.map(({ id }) => id);
  const found = await findClients(on, [
    accountId,
    hash,
    externalReference ?? null,
    ownLeadIds,
    leadReference ?? null,
    isTest,
  ]);
  const leavesClients = !('decidedBy' in person) && found.filter((client) => !client.is_test).length > 1;
  const clients = leavesClients ? [] : found;
  const ofClients = 'decidedBy' in person ? clients.map((client) => emailKeyOf(accountId, client, contacts)) : [];
  const emailKeys = [key, ...ofClients].filter(isKnown);
  const leadIds = [...clients.map((client) => client.lead_id), ...ownLeadIds, ...asked.map(({ id }) => id)];
  return {
    accountId,
    isTest,
    clientIds: clients.map(({ id }) => id),
    testClients: clients.filter((client) => client.is_test).length,
    leadIds: isTest ? [] : [...new Set(leadIds)],
    references: [externalReference, ...clients.map(({ reference }) => reference)].filter(isKnown),
    emailKeys,
    emailHashes: hashesOf(emailKeys),
    ownLeadReferences: leads.map(({ reference }) => reference),
    leadReference: leavesClients ? null : (leadReference ?? null),
    leadReferences: clients.map((client) => client.lead_reference),
    leavesClients,
  };
};

/** What stays of erased clients. */
export interface Kept {
  /** An amount, a day and the account's own number. */
  readonly conversions: number;
  /** Pending deliveries of these clients, their conversions and adjustments; without personal data it will be skipped. */
  readonly pendingDeliveries: number;
}

const count = preparedStatement<Kept>(
  'count-what-an-erased-person-leaves',
  `with kept as (
     select v.id from unnest($2::bigint[]) c (id)
     cross join lateral (select id from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   )
   select (select count(*) from kept) as conversions,
          (select count(*) from kept cross join lateral (
             select from delivery where conversion_id = kept.id and account_id + 0 = $1 and state = 'pending'
             union all
             select from (select id from conversion_adjustment where conversion_id = kept.id and account_id + 0 = $1) a
             cross join lateral (
               select from delivery where adjustment_id = a.id and account_id + 0 = $1 and state = 'pending' offset 0) f
           ) pending)
          + (select count(*) from unnest($2::bigint[]) erased (id) cross join lateral (
               select from delivery where client_id = erased.id and account_id + 0 = $1 and state = 'pending' offset 0) f
          ) as "pendingDeliveries"`,
);

export const countKept = async (on: Queryable, accountId: number, clientIds: readonly number[]): Promise<Kept> => {
  const [kept] = await count(on, [accountId, clientIds]);
  if (!kept) throw new Error('the conversions were not counted');
  return kept;
};

/** What a platform was told of a person: that cannot be erased here. */
export interface ToldPlatform {
  readonly platform: DestinationName;
  /** Delivered conversions, leads and adjustments. */
  readonly events: number;
  readonly lastAt: Date;
}

const find = preparedStatement<ToldPlatform>(
  'find-platforms-told-of-a-person',
  `with theirs as (
     select v.id from unnest($2::bigint[]) c (id)
     cross join lateral (select id from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   ), told as (
     select f.connection_id, f.closed_at from theirs cross join lateral (
       select connection_id, closed_at from delivery
       where conversion_id = theirs.id and account_id + 0 = $1 and state = 'delivered' offset 0) f
     union all
     select f.connection_id, f.closed_at from theirs
     cross join lateral (
       select id from conversion_adjustment where conversion_id = theirs.id and account_id + 0 = $1 offset 0) a
     cross join lateral (
       select connection_id, closed_at from delivery
       where adjustment_id = a.id and account_id + 0 = $1 and state = 'delivered' offset 0) f
     union all
     select f.connection_id, f.closed_at from unnest($2::bigint[]) c (id) cross join lateral (
       select connection_id, closed_at from delivery
       where client_id = c.id and account_id + 0 = $1 and state = 'delivered' offset 0) f
   )
   select p.platform, count(*) as events, max(told.closed_at) as "lastAt"
   from told cross join lateral (select platform from platform_connection where id = told.connection_id limit 1) p
   group by p.platform order by p.platform`,
);

/** The platforms to which anything of these clients was delivered, as far as the deliveries are still stored. */
export const findToldPlatforms = (
  on: PoolClient,
  accountId: number,
  clientIds: readonly number[],
): Promise<ToldPlatform[]> => find(on, [accountId, clientIds]);
