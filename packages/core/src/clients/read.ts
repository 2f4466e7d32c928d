import { type ContactCipher, preparedStatement, type Queryable, statement } from '@leadback/db';
import type { Contact, AccountMode } from '@leadback/domain';
import { contactOfClient, contactOfLead } from '@leadback/domain/keys';
import { saidBy } from '../metrics/clicks.ts';
import { furtherLeads } from '../leads/attribution.ts';
import { shownSlug } from '../pages/list-pages.ts';

/** Contact data as they are stored. */
export interface StoredContact {
  /** Encrypted; null: nothing is known. */
  readonly contact: Buffer | null;
  /** Of the account. */
  readonly dataKey: Buffer | null;
}

interface OfLead {
  readonly accountId: number;
  readonly leadReference: string;
}

/** The contact data of a client. Null if they cannot be decrypted. */
export const clientContact = (
  { contact, dataKey }: StoredContact,
  { accountId, leadReference }: OfLead,
  contacts: ContactCipher,
): Contact => {
  const owner = contactOfClient(accountId, leadReference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name: found.name ?? null, email: found.email ?? null, phoneNumber: found.phone ?? null };
};

/** What a visitor entered. Null if it cannot be decrypted. */
export const leadContact = (
  { contact, dataKey }: StoredContact,
  { accountId, leadReference }: OfLead,
  contacts: ContactCipher,
): Contact => {
  const owner = contactOfLead(accountId, leadReference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name: found.name ?? null, email: found.email ?? null, phoneNumber: found.phone ?? null };
};

/** A click of a client. */
export interface Click {
  readonly leadId: number;
  readonly leadReference: string;
  readonly clickedAt: Date;
  /** The slug of the landing page. */
  readonly page: string;
  readonly campaign: string | null;
}

/** Of a client, the first click and this many of the newest. */
const clicksMax = 100;

const findClicks = statement<Click & { readonly clientId: number }>(
  `select c.id as "clientId", l.id as "leadId", l.reference as "leadReference", l.created_at as "clickedAt",
          ${shownSlug()} as page, nullif(${saidBy('campaign_of(l.click_parameters, l.click_times)', 'campaign')}, '') as campaign
   from client c
   cross join lateral (
     select c.lead_id as id
     union
     (${furtherLeads('c.id', 'c.account_id')} order by lead_id desc limit ${clicksMax})
   ) its
   join lead l on l.id = its.id and l.account_id = c.account_id
   join landing_page p on p.id = l.landing_page_id
   where c.id = any($2::bigint[]) and c.account_id = $1
   order by l.created_at, l.id`,
);

/** Returns the clicks of clients, oldest first, by the id of the client. */
export const readClicks = async (
  on: Queryable,
  accountId: number,
  clientIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Click[]>> => {
  const byClient = Map.groupBy(await findClicks(on, [accountId, clientIds]), ({ clientId }) => clientId);
  const clickOf = ({ leadId, leadReference, clickedAt, page, campaign }: Click): Click => {
    return { leadId, leadReference, clickedAt, page, campaign };
  };
  return new Map([...byClient].map(([id, its]) => [id, its.map(clickOf)]));
};

interface ClientRecord extends Contact {
  readonly id: number;
  readonly leadId: number;
  readonly leadReference: string;
  readonly externalReference: string | null;
  readonly createdAt: Date;
}

const read = preparedStatement<Omit<ClientRecord, keyof Contact> & StoredContact>(
  'read-client',
  `select c.id, c.lead_id as "leadId", l.reference as "leadReference", c.contact, a.data_key as "dataKey",
          coalesce(c.external_reference, c.test_reference) as "externalReference", c.created_at as "createdAt"
   from client c
   join lead l on l.id = c.lead_id and l.account_id = c.account_id
   join account a on a.id = c.account_id
   where c.account_id = $1 and c.id = $2 and c.is_test = $3`,
);

/** Returns undefined if the account has no such client in this mode. */
export const readClient = async (
  on: Queryable,
  contacts: ContactCipher,
  { accountId, isTest, id }: AccountMode & { readonly id: number },
): Promise<ClientRecord | undefined> => {
  const [client] = await read(on, [accountId, id, isTest]);
  if (!client) return undefined;
  const { contact: _, dataKey: __, ...record } = client;
  return { ...record, ...clientContact(client, { accountId, leadReference: client.leadReference }, contacts) };
};
