import { type AccountId, emailKey, emailKeyIn, type ErasureAsker, type DestinationName } from '@leadback/domain';
import { type ContactCipher, type PoolClient, type Queryable, statement } from '@leadback/db';
import { contactOfClient, lookupHash } from '@leadback/domain/keys';
import { z } from 'zod';
import { leadIdsOf } from '../leads/attribution.ts';

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

const provenLeadSchema = z.object({ accountId: z.int(), leadReference: z.string() }).brand<'proven lead'>();

/** A lead whose browser asks for its erasure, with the proof that it has left it: only `proveLead` makes one. */
export type ProvenLead = Readonly<z.output<typeof provenLeadSchema>>;

export interface LeadToProve {
  readonly accountId: AccountId;
  readonly leadReference: string;
  readonly proof: string;
}

const readProof = statement<{ is_proven: boolean }>(
  `select coalesce(proof_hash = sha256(convert_to($3, 'UTF8')), false) as is_proven
   from lead where reference = $2 and account_id = $1`,
);

/**
 * The lead, if the proof is right; undefined otherwise. Of a lead that is not recorded yet there is nothing to compare with,
 * and nothing registered: landing, which still buffers it, has looked at the proof.
 */
export const proveLead = async (
  on: Queryable,
  { accountId, leadReference, proof }: LeadToProve,
): Promise<ProvenLead | undefined> => {
  const [lead] = await readProof(on, [accountId, leadReference, proof]);
  return lead?.is_proven === false ? undefined : provenLeadSchema.parse({ accountId, leadReference });
};

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
  /** Of all its leads, in the same order. */
  readonly lead_ids: number[];
  readonly lead_references: string[];
  /** The reference of its first lead. */
  readonly contact_owner: string;
  readonly reference: string | null;
  readonly contact: Buffer | null;
  readonly data_key: Buffer | null;
  readonly is_test: boolean;
}

// a click belongs to one person, but a client whose email differs from the lead's is another person
const findClients = statement<FoundClient>(
  `select c.id, l.reference as contact_owner, clicks.lead_ids, clicks.lead_references,
          coalesce(c.external_reference, c.test_reference) as reference, c.contact, a.data_key, c.is_test
   from client c join lead l on l.id = c.lead_id join account a on a.id = c.account_id
   cross join lateral (
     select array_agg(its.id order by its.id) as lead_ids, array_agg(its.reference order by its.id) as lead_references
     from lead its where its.id = any(${leadIdsOf('c')})
   ) clicks
   where c.account_id = $1 and (c.is_test or not $6) and c.id = any(array(
     select id from client where account_id = $1 and email_hash = $2
     union select id from client where account_id = $1 and test_email_hash = $2
     union select id from client where account_id = $1 and external_reference = $3
     union select id from client where account_id = $1 and test_reference = $3
     union select id from client
       where account_id = $1 and id = any(array(select unnest(clients_of_lead(own)) from unnest($4::bigint[]) own))
         and num_nonnulls(email_hash, test_email_hash) = 0
     union select unnest(clients_of_lead(id)) from lead where reference = $5 and account_id = $1))
   order by c.id`,
);

const findLeads = statement<{ id: number; reference: string }>(
  'select id, reference from lead where account_id = $1 and email_hash = $2 order by id',
);

// a test key erases leads of tests alone
const findLead = statement<{ id: number }>(
  'select id from lead where reference = $2 and account_id = $1 and (is_test or not $3)',
);

const emailKeyOf = (accountId: number, client: FoundClient, contacts: ContactCipher): string | null => {
  const { contact, data_key: dataKey, contact_owner: reference } = client;
  const owner = contactOfClient(accountId, reference);
  const { email } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return emailKeyIn(email) ?? null;
};

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/**
 * Finds the clients with this email or reference, their leads, leads with this email, and clients of those without an
 * email; of a lead reference, the lead and all its clients; of a lead that its browser has proven, the lead, and its client
 * if that is the only one, but not what names no more than the email of this client.
 */
export const findPerson = async (
  on: Queryable,
  contacts: ContactCipher,
  person: PersonToErase | ProvenLead,
): Promise<FoundPerson> => {
  const { accountId, leadReference } = person;
  const { email, externalReference, isTest = false } = 'decidedBy' in person ? person : {};
  const key = email === undefined ? null : emailKey(email);
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  const hashesOf = (emails: readonly string[]) => (keys ? emails.map((one) => lookupHash(keys, 'email', one)) : []);
  const [hash = null] = key === null ? [] : hashesOf([key]);
  const leads = isTest ? [] : await findLeads(on, [accountId, hash]);
  const asked = leadReference === undefined ? [] : await findLead(on, [accountId, leadReference, isTest]);
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
  const askedIds = asked.map(({ id }) => id);
  const leadIds = isTest ? askedIds : [...clients.flatMap((client) => client.lead_ids), ...ownLeadIds, ...askedIds];
  return {
    accountId,
    isTest,
    clientIds: clients.map(({ id }) => id),
    testClients: clients.filter((client) => client.is_test).length,
    leadIds: [...new Set(leadIds)],
    references: [externalReference, ...clients.map(({ reference }) => reference)].filter(isKnown),
    emailKeys,
    emailHashes: hashesOf(emailKeys),
    ownLeadReferences: leads.map(({ reference }) => reference),
    leadReference: leavesClients ? null : (leadReference ?? null),
    leadReferences: clients.flatMap((client) => client.lead_references),
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

const ofClients = 'account_id = $1 and client_id = any($2::bigint[])';

/** SQL: whether a delivery is of one of the clients $2 of the account $1, or of their conversions and adjustments. */
export const isOfClients = `account_id = $1 and (
  client_id = any($2::bigint[])
  or conversion_id = any(array(select id from conversion where ${ofClients}))
  or adjustment_id = any(array(
    select id from conversion_adjustment
    where account_id = $1 and conversion_id = any(array(select id from conversion where ${ofClients})))))`;

const count = statement<Kept>(
  `select (select count(*) from conversion where ${ofClients}) as conversions,
          (select count(*) from delivery where ${isOfClients} and state = 'pending') as "pendingDeliveries"`,
);

export const countKept = async (on: Queryable, accountId: number, clientIds: readonly number[]): Promise<Kept> => {
  const [kept] = await count(on, [accountId, clientIds]);
  if (!kept) throw new Error('the conversions were not counted');
  return kept;
};

/** What a platform was told of a person: that cannot be erased here. */
export interface ReceivingPlatform {
  readonly platform: DestinationName;
  /** Delivered conversions, leads and adjustments. */
  readonly events: number;
  readonly lastAt: Date;
}

const find = statement<ReceivingPlatform>(
  `select p.platform, count(*) as events, max(told.closed_at) as "lastAt"
   from (select connection_id, closed_at from delivery where ${isOfClients} and state = 'delivered') told
   join platform_connection p on p.id = told.connection_id
   group by p.platform order by p.platform`,
);

/** The platforms to which anything of these clients was delivered, as far as the deliveries are still stored. */
export const findReceivingPlatforms = (
  on: PoolClient,
  accountId: number,
  clientIds: readonly number[],
): Promise<ReceivingPlatform[]> => find(on, [accountId, clientIds]);
