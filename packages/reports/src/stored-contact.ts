import type { Contacts } from '@leadback/db';
import type { Contact } from '@leadback/domain';
import { contactOfClient, contactOfLead } from '@leadback/secrets';

interface Stored {
  /** Encrypted; null: the other columns have the data. */
  readonly contact: Buffer | null;
  /** Of the account. */
  readonly dataKey: Buffer | null;
}

export interface StoredClientContact extends Stored, Contact {}

export interface StoredLeadContact extends Stored {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

interface OfLead {
  readonly accountId: number;
  readonly leadReference: string;
}

/** The contact data of a client. Null if they cannot be decrypted. */
export const clientContact = (
  { contact, dataKey, name, email, phoneNumber }: StoredClientContact,
  { accountId, leadReference }: OfLead,
  contacts: Contacts,
): Contact => {
  if (contact === null) return { name, email, phoneNumber };
  const owner = contactOfClient(accountId, leadReference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name: found.name ?? null, email: found.email ?? null, phoneNumber: found.phone ?? null };
};

/** What a visitor entered. Null if it cannot be decrypted. */
export const leadContact = (
  { contact, dataKey, name, email, phone }: StoredLeadContact,
  { accountId, leadReference }: OfLead,
  contacts: Contacts,
): Contact => {
  if (contact === null) return { name, email, phoneNumber: phone };
  const owner = contactOfLead(accountId, leadReference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name: found.name ?? null, email: found.email ?? null, phoneNumber: found.phone ?? null };
};
