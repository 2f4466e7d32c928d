import { emailKey } from '@leadback/domain';
import {
  type AccountContacts,
  type Contacts,
  type Pool,
  failureScopeOf,
  inTransaction,
  preparedStatement,
  type Queryable,
} from '@leadback/db';
import { batch } from '@leadback/db/batch';
import { type ContactData, contactOfLead, encryptContact, lookupHash } from '@leadback/domain/keys';
import { byteaText } from '../bytea-text.ts';
import { withoutErased } from './erased-leads.ts';
import type { LeadToRecord } from './lead-to-record.ts';
import { applyConsentWithdrawals } from './consent-withdrawals.ts';
import { waitingBound } from '../once.ts';

// One statement and one commit for all leads that arrive together, as one JSON parameter, so that the statement is the
// same for any number of them. A lead may arrive twice: from a form submitted twice, or because it was buffered after
// the response to its first write was lost. Sorted, so that two statements cannot deadlock. The conflict is one of the
// reference: a role that names it needs the right to read all references.
const insert = preparedStatement(
  'record-leads',
  `insert into lead (account_id, landing_page_id, reference, click_marks, click_times, user_agent,
                     accept_language, referrer, landing_url, contact, email_hash, consent, consent_scope, global_privacy_control, trace_parent, proof_hash, counts_as_other, created_at)
   select "accountId", "landingPageId", reference, "clickParameters", "clickTimes", "userAgent",
          "acceptLanguage", referrer, "landingUrl", contact, "emailHash", consent, "consentScope",
          "globalPrivacyControl", "traceParent", decode("proofHash", 'hex'), "countsAsOther", least("visitedAt", now())
   from json_to_recordset($1) as (
     "accountId" bigint, "landingPageId" bigint, reference text, "clickParameters" jsonb, "clickTimes" jsonb,
     "userAgent" text, "acceptLanguage" text, referrer text, "landingUrl" text, contact bytea, "emailHash" text, consent boolean, "consentScope" text, "globalPrivacyControl" boolean, "traceParent" text,
     "proofHash" text, "countsAsOther" boolean, "visitedAt" timestamptz)
   order by reference
   on conflict do nothing`,
);

interface StoredLead extends Omit<LeadToRecord, keyof ContactData> {
  readonly contact?: string | undefined;
  readonly emailHash?: string | undefined;
}

const storedLead = (lead: LeadToRecord, { keys }: AccountContacts): StoredLead => {
  const { name, email, phone, ipAddress, ...stored } = lead;
  const { accountId, reference } = lead;
  const contact = keys && encryptContact(keys, contactOfLead(accountId, reference), { name, email, phone, ipAddress });
  const emailHash = keys && email !== null ? lookupHash(keys, 'email', emailKey(email)) : undefined;
  return { ...stored, contact: contact && byteaText(contact), emailHash };
};

const accountsOf = (leads: readonly LeadToRecord[]) => leads.map(({ accountId }) => accountId);

type ContactsOf = Awaited<ReturnType<Contacts['ofAccounts']>>;

const insertLeads = async (on: Queryable, leads: readonly LeadToRecord[], contactsOf: ContactsOf): Promise<void> => {
  await insert(on, [JSON.stringify(leads.map((lead) => storedLead(lead, contactsOf(lead.accountId))))]);
};

const insertUnlessErased = (pool: Pool, leads: readonly LeadToRecord[], contacts: Contacts): Promise<void> =>
  inTransaction(pool, async (on) => {
    const left = await withoutErased(on, leads, contacts);
    await insertLeads(on, left, await contacts.ofAccounts(on, accountsOf(left)));
  });

// as in once-each.ts: two statements at once cost more than one with the leads of both
const limits = { itemsMax: 50, runsMax: 2, besideMs: 2, failureScope: failureScopeOf };

// Two statements of 50 take 8 ms, so 1,000 leads wait a tenth of a second. Until PostgreSQL is ten times slower, the last of
// them is in time for its visitor, who waits a second; more would fill the memory and be buffered elsewhere all the same.
const boundedLimits = { ...limits, bound: waitingBound };

const recorder = (insertAll: (leads: readonly LeadToRecord[]) => Promise<void>, limitsOf: typeof limits) =>
  batch(async (leads: readonly LeadToRecord[]): Promise<true[]> => {
    await insertAll(leads);
    return leads.map(() => true);
  }, limitsOf);

/**
 * Returns a function that records one lead, unless it exists already, and resolves once it is committed. Of an erased
 * person whom the account does not register again, it records no contact data. Throws the refusal `overloaded` at once
 * while many leads wait.
 */
export const leadRecorder = (pool: Pool, contacts: Contacts): ((lead: LeadToRecord) => Promise<true>) =>
  recorder(async (leads) => {
    const contactsOf = await contacts.ofAccounts(pool, accountsOf(leads));
    const mayBeErased = leads.some(
      ({ accountId, email, phone }) => (email ?? phone) !== null && contactsOf(accountId).suppressesErased,
    );
    await (mayBeErased ? insertUnlessErased(pool, leads, contacts) : insertLeads(pool, leads, contactsOf));
  }, boundedLimits);

/**
 * The same for leads that were buffered: it records nothing that was erased meanwhile, and the consent that was withdrawn.
 * Any number may wait, because RabbitMQ and the disk give out a limited number at a time.
 */
export const bufferedLeadRecorder = (pool: Pool, contacts: Contacts): ((lead: LeadToRecord) => Promise<true>) =>
  recorder(async (leads) => {
    await insertUnlessErased(pool, leads, contacts);
    await applyConsentWithdrawals(
      pool,
      leads.map(({ reference }) => reference),
    );
  }, limits);
