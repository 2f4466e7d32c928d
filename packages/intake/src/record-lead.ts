import { emailKey, type NewLead } from '@leadback/domain';
import {
  type AccountContacts,
  type Contacts,
  type Pool,
  failureScopeOf,
  preparedStatement,
  type Queryable,
} from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import { contactOfLead, encryptContact, lookupHash } from '@leadback/secrets';
import { byteaText } from './bytea-text.ts';

/** A lead, and the time of the visit if that is not now (ISO 8601). */
export interface LeadToRecord extends NewLead {
  readonly visitedAt?: string;
}

// One statement and one commit for all leads that arrive together, as one JSON parameter, so that the statement is the
// same for any number of them. A lead may arrive twice: from a form submitted twice, or because it was buffered after
// the response to its first write was lost. Sorted, so that two statements cannot deadlock.
const insert = preparedStatement(
  'record-leads',
  `insert into lead (account_id, landing_page_id, reference, click_marks, click_times, clicked_at, ip_address, user_agent,
                     accept_language, referrer, landing_url, name, email, phone, contact, email_hash, consent, consent_scope,
                     global_privacy_control, trace_parent, created_at)
   select "accountId", "landingPageId", reference, "clickParameters", "clickTimes", "clickedAt", "ipAddress", "userAgent",
          "acceptLanguage", referrer, "landingUrl", name, email, phone, contact, "emailHash", consent, "consentScope",
          "globalPrivacyControl", "traceParent", least("visitedAt", now())
   from json_to_recordset($1) as (
     "accountId" bigint, "landingPageId" bigint, reference text, "clickParameters" jsonb, "clickTimes" jsonb, "clickedAt" timestamptz,
     "ipAddress" text, "userAgent" text, "acceptLanguage" text, referrer text, "landingUrl" text, name text, email text,
     phone text, contact bytea, "emailHash" text, consent boolean, "consentScope" text, "globalPrivacyControl" boolean, "traceParent" text,
     "visitedAt" timestamptz)
   order by reference
   on conflict (reference) do nothing`,
);

interface StoredLead extends LeadToRecord {
  readonly contact?: string | undefined;
  readonly emailHash?: string | undefined;
}

const storedLead = (lead: LeadToRecord, { keys, encrypts }: AccountContacts): StoredLead => {
  if (!encrypts) return lead;
  const { accountId, reference, name, email, phone, ipAddress } = lead;
  const contact = keys && encryptContact(keys, contactOfLead(accountId, reference), { name, email, phone, ipAddress });
  const emailHash = keys && email !== null ? lookupHash(keys, 'email', emailKey(email)) : undefined;
  const without = { ...lead, name: null, email: null, phone: null, ipAddress: null };
  return { ...without, contact: contact && byteaText(contact), emailHash };
};

/** Records leads that do not exist yet. */
export const insertLeads = async (on: Queryable, leads: readonly LeadToRecord[], contacts: Contacts): Promise<void> => {
  const contactsOf = await contacts.ofAccounts(
    on,
    leads.map(({ accountId }) => accountId),
  );
  await insert(on, [JSON.stringify(leads.map((lead) => storedLead(lead, contactsOf(lead.accountId))))]);
};

/** Returns a function that records one lead, unless it exists already, and resolves once it is committed. */
export const leadRecorder = (pool: Pool, contacts: Contacts): ((lead: LeadToRecord) => Promise<true>) =>
  batch(
    async (leads: readonly LeadToRecord[]) => {
      await insertLeads(pool, leads, contacts);
      return leads.map(() => true);
    },
    { itemsMax: 50, runsMax: 2, failureScope: failureScopeOf },
  );
