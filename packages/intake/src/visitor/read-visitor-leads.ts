import { type Contacts, preparedStatement, type Queryable } from '@leadback/db';
import type { ConsentScope, VisitorLead } from '@leadback/domain';
import { contactOfClient, contactOfLead } from '@leadback/secrets';
import { z } from 'zod';

/** A recorded lead, as its visitor may see it. */
export interface StoredLead {
  readonly reference: string;
  readonly accountId: number;
  readonly lead: VisitorLead;
}

interface Row {
  reference: string;
  account_id: number;
  clicked_at: Date;
  title: string | null;
  target_url: string;
  campaign: Record<string, string> | null;
  consent: boolean | null;
  consent_scope: ConsentScope | null;
  global_privacy_control: boolean;
  consent_withdrawn_at: Date | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  ip_address: string | null;
  /** Encrypted; null: the columns above have the data. */
  contact: Buffer | null;
  data_key: Buffer | null;
  /** Whether the lead has exactly one client. */
  is_registered: boolean;
  client_name: string | null;
  client_email: string | null;
  client_phone: string | null;
  client_contact: Buffer | null;
  client_data_key: Buffer | null;
  told: unknown;
}

const toldSchema = z.array(z.object({ platform: z.string(), at: z.coerce.date() })).nullable();

const read = preparedStatement<Row>(
  'read-leads-of-visitor',
  `select l.reference, l.account_id, l.clicked_at, l.title, l.target_url, l.campaign, l.consent, l.consent_scope,
          l.global_privacy_control, l.consent_withdrawn_at, l.name, l.email, l.phone, l.ip_address, l.told, c.contact, c.data_key,
          r.reference is not null as is_registered, r.name as client_name, r.email as client_email, r.phone as client_phone,
          r.contact as client_contact, r.data_key as client_data_key
   from visitor_leads($1) l
   left join visitor_contacts($1) c on c.reference = l.reference
   left join visitor_clients($1) r on r.reference = l.reference
   order by l.clicked_at desc, l.reference`,
);

/** Nothing if it cannot be decrypted. */
const contactOf = (row: Row, contacts: Contacts): Pick<VisitorLead, 'name' | 'email' | 'phone' | 'ipAddress'> => {
  const { account_id: accountId, reference, contact, data_key: dataKey } = row;
  if (contact === null) return { name: row.name, email: row.email, phone: row.phone, ipAddress: row.ip_address };
  const owner = contactOfLead(accountId, reference);
  const {
    name = null,
    email = null,
    phone = null,
    ipAddress = null,
  } = contacts.decrypt({
    accountId,
    owner,
    dataKey,
    contact,
  });
  return { name, email, phone, ipAddress };
};

const registeredOf = (row: Row, contacts: Contacts): VisitorLead['registered'] => {
  const { account_id: accountId, reference, client_contact: contact, client_data_key: dataKey } = row;
  if (!row.is_registered) return null;
  if (contact === null) return { name: row.client_name, email: row.client_email, phone: row.client_phone };
  const owner = contactOfClient(accountId, reference);
  const { name = null, email = null, phone = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name, email, phone };
};

const storedLead = (row: Row, contacts: Contacts): StoredLead => ({
  reference: row.reference,
  accountId: row.account_id,
  lead: {
    clickedAt: row.clicked_at,
    title: row.title,
    targetUrl: row.target_url,
    campaign: row.campaign ?? {},
    consent: row.consent,
    consentScope: row.consent_scope,
    globalPrivacyControl: row.global_privacy_control,
    consentWithdrawnAt: row.consent_withdrawn_at,
    ...contactOf(row, contacts),
    registered: registeredOf(row, contacts),
    told: toldSchema.parse(row.told) ?? [],
  },
});

/** Finds leads by their exact references, the newest click first. */
export const readVisitorLeads = async (
  on: Queryable,
  references: readonly string[],
  contacts: Contacts,
): Promise<StoredLead[]> =>
  references.length === 0 ? [] : (await read(on, [references])).map((row) => storedLead(row, contacts));
