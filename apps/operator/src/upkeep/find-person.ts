import { emailKey } from '@leadback/domain';
import { type PoolClient, preparedStatement } from '@leadback/db';

/** How one account identifies a person. */
export interface PersonToErase {
  readonly accountId: number;
  readonly email?: string | undefined;
  /** Of a live client, a test client, or both. */
  readonly externalReference?: string | undefined;
}

/** By what a person can be recognised. */
export interface FoundPerson {
  readonly accountId: number;
  readonly clientIds: readonly number[];
  readonly leadIds: readonly number[];
  /** Of the clients, and as asked for. */
  readonly references: readonly string[];
  /** Of the clients, and as asked for. */
  readonly emailKeys: readonly string[];
  /** Of leads with the email: the person's own. */
  readonly ownLeadReferences: readonly string[];
  /** Of the leads of the clients: another client of a lead may be another person. */
  readonly leadReferences: readonly string[];
}

interface FoundClient {
  readonly id: number;
  readonly lead_id: number;
  readonly lead_reference: string;
  readonly reference: string | null;
  readonly email_key: string | null;
}

// a click belongs to one person, but a client whose email differs from the lead's is another person
const findClients = preparedStatement<FoundClient>(
  'find-clients-to-erase',
  `select c.id, c.lead_id, l.reference as lead_reference, coalesce(c.external_reference, c.test_reference) as reference,
          coalesce(c.email_key, c.test_email_key) as email_key
   from client c join lead l on l.id = c.lead_id
   where c.account_id = $1 and (c.email_key = $2 or c.test_email_key = $2 or c.external_reference = $3
                                or c.test_reference = $3 or c.lead_id = any($4) and c.email is null)
   order by c.id`,
);

interface FoundLead {
  readonly id: number;
  readonly reference: string;
  readonly email: string;
}

// JavaScript compares letters beyond ASCII, independent of the database's locale
const findLeads = preparedStatement<FoundLead>(
  'find-leads-to-erase',
  `select id, reference, email from lead
   where account_id = $1 and (lower(btrim(email)) = $2 or email ~ '[^ -~]') order by id`,
);

const leadsWith = async (on: PoolClient, accountId: number, key: string | null): Promise<FoundLead[]> => {
  if (key === null) return [];
  return (await findLeads(on, [accountId, key])).filter(({ email }) => emailKey(email) === key);
};

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/** Finds the clients with this email or reference, their leads, leads with this email, and clients of those without an email. */
export const findPerson = async (
  on: PoolClient,
  { accountId, email, externalReference }: PersonToErase,
): Promise<FoundPerson> => {
  const key = email === undefined ? null : emailKey(email);
  const leads = await leadsWith(on, accountId, key);
  const ownLeadIds = leads.map(({ id }) => id);
  const clients = await findClients(on, [accountId, key, externalReference ?? null, ownLeadIds]);
  return {
    accountId,
    clientIds: clients.map(({ id }) => id),
    leadIds: [...clients.map((client) => client.lead_id), ...ownLeadIds],
    references: [externalReference, ...clients.map(({ reference }) => reference)].filter(isKnown),
    emailKeys: [key, ...clients.map((client) => client.email_key)].filter(isKnown),
    ownLeadReferences: leads.map(({ reference }) => reference),
    leadReferences: clients.map((client) => client.lead_reference),
  };
};
