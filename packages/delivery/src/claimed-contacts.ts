import type { Contacts } from '@leadback/db';
import type { Contact } from '@leadback/domain';
import { contactOfClient, contactOfLead } from '@leadback/secrets';
import type { ClaimedRow } from './claimed.ts';

/** What is known of the person of a delivery. */
export interface RowContacts {
  readonly client: Contact;
  /** What the visitor entered. */
  readonly lead: Contact;
  readonly ipAddress: string | null;
  /** Why contact data could not be decrypted, though the account has its key: this process lacks a key. */
  readonly failure?: unknown;
}

const clientOf = (row: ClaimedRow, contacts: Contacts): Contact => {
  const { account_id: accountId, data_key: dataKey, client_contact: contact, lead_reference: reference } = row;
  if (contact === null) return { name: row.name, email: row.email, phoneNumber: row.phone_number };
  const owner = contactOfClient(accountId, reference);
  const { name = null, email = null, phone = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name, email, phoneNumber: phone };
};

const leadOf = (row: ClaimedRow, contacts: Contacts): Pick<RowContacts, 'lead' | 'ipAddress'> => {
  const { account_id: accountId, data_key: dataKey, lead_contact: contact, lead_reference: reference } = row;
  if (contact === null) {
    const lead = { name: row.lead_name, email: row.lead_email, phoneNumber: row.lead_phone };
    return { lead, ipAddress: row.ip_address };
  }
  const owner = contactOfLead(accountId, reference);
  const found = contacts.decrypt({ accountId, owner, dataKey, contact });
  const { name = null, email = null, phone = null, ipAddress = null } = found;
  return { lead: { name, email, phoneNumber: phone }, ipAddress };
};

const nobody: Contact = { name: null, email: null, phoneNumber: null };

/** Null is what cannot be decrypted any more. Never throws: one row must not fail those that were claimed with it. */
export const contactsOfRow = (row: ClaimedRow, contacts: Contacts): RowContacts => {
  try {
    return { client: clientOf(row, contacts), ...leadOf(row, contacts) };
  } catch (failure) {
    return { client: nobody, lead: nobody, ipAddress: null, failure };
  }
};
