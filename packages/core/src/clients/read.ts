import { type ContactCipher, preparedStatement, type Queryable } from '@leadback/db';
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
