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
}

const clientOf = (row: ClaimedRow, contacts: Contacts): Contact => {
  const { account_id: accountId, data_key: dataKey, client_contact: contact, lead_reference: reference } = row;
  if (contact === null) return { name: row.name, email: row.email, phoneNumber: row.phone_number };
  const owner = contactOfClient(accountId, reference);
  const { name = null, email = null, phone = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name, email, phoneNumber: phone };
};

const leadOf = (row: ClaimedRow, contacts: Contacts): Omit<RowContacts, 'client'> => {
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

/** Null is what cannot be decrypted. */
export const contactsOfRow = (row: ClaimedRow, contacts: Contacts): RowContacts => ({
  client: clientOf(row, contacts),
  ...leadOf(row, contacts),
});
