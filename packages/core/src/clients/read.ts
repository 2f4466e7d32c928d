import { type Contacts, type Pool, preparedStatement } from '@leadback/db';
import type { Contact, AccountMode } from '@leadback/domain';
import { contactOfClient, contactOfLead } from '@leadback/domain/keys';

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
  contacts: Contacts,
): Contact => {
  const owner = contactOfClient(accountId, leadReference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name: found.name ?? null, email: found.email ?? null, phoneNumber: found.phone ?? null };
};

/** What a visitor entered. Null if it cannot be decrypted. */
export const leadContact = (
  { contact, dataKey }: StoredContact,
  { accountId, leadReference }: OfLead,
  contacts: Contacts,
): Contact => {
  const owner = contactOfLead(accountId, leadReference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name: found.name ?? null, email: found.email ?? null, phoneNumber: found.phone ?? null };
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
  `select c.id, c.lead_id as "leadId", l.reference as "leadReference", c.contact, a."dataKey",
          coalesce(c.external_reference, c.test_reference) as "externalReference", c.created_at as "createdAt"
   from client c
   cross join lateral (select reference from lead where id = c.lead_id and account_id = c.account_id limit 1) l
   cross join lateral (select data_key as "dataKey" from account where id = c.account_id limit 1) a
   where c.account_id = $1 and c.id = $2 and c.is_test = $3`,
);

/** Returns undefined if the account has no such client in this mode. */
export type ClientReader = (mode: AccountMode, id: number) => Promise<ClientRecord | undefined>;

export const clientReader =
  (pool: Pool, contacts: Contacts): ClientReader =>
  async ({ accountId, isTest }, id) => {
    const [client] = await read(pool, [accountId, id, isTest]);
    if (!client) return undefined;
    const { contact: _, dataKey: __, ...record } = client;
    return { ...record, ...clientContact(client, { accountId, leadReference: client.leadReference }, contacts) };
  };
