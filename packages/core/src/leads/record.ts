import {
  clickIdsByPlatform,
  type NewLead,
  type ErasedPersons,
  queryParameterNames,
  emailKeyIn,
} from '@leadback/domain';
import {
  byteaText,
  type ContactCipher,
  preparedStatement,
  type Queryable,
  recordBesideErasures,
  type AccountContacts,
  type Pool,
  failureScopeOf,
  transaction,
} from '@leadback/db';
import { personHashes, type ContactData, contactOfLead, encryptContact, lookupHash } from '@leadback/domain/keys';
import { batch } from '@leadback/db/batch';
import { applyConsentWithdrawals } from './visitor.ts';
import { waitingBound } from '../once.ts';

/** A lead, and the time of the visit if that is not now (ISO 8601). */
export interface LeadToRecord extends NewLead {
  readonly visitedAt?: string | undefined;
  /** Reported with a test key. Default: it is not. */
  readonly isTest?: boolean;
}

interface AccountRow {
  readonly id: number;
  readonly data_key: Buffer | null;
  readonly erased_persons: ErasedPersons;
}

const readAccounts = preparedStatement<AccountRow>(
  'accounts-of-leads-that-may-be-erased',
  'select id, data_key, erased_persons from account where id = any($1)',
);

interface ErasedRow {
  readonly place: number;
  readonly is_lead: boolean;
  readonly erased_at: Date;
  /** Whether the account may register the person again. */
  readonly is_allowed: boolean;
}

// Plan: each hash by its index; see `preparedStatement`.
const findErased = preparedStatement<ErasedRow>(
  'find-erased-leads',
  `select h.place, h.is_lead, e.erased_at, e.allowed_at is not null as is_allowed
   from unnest($1::bigint[], $2::text[], $3::boolean[], $4::int[]) h (account_id, hash, is_lead, place)
   cross join lateral (select erased_at, allowed_at from erased_key where account_id = h.account_id and hash = h.hash limit 1) e`,
);

// clocks of this machine and PostgreSQL's may differ
const clockMarginMs = 60_000;

const withoutContact = (lead: LeadToRecord): LeadToRecord => ({ ...lead, name: null, email: null, phone: null });

const campaignOf = ({ clickParameters }: LeadToRecord): LeadToRecord['clickParameters'] =>
  Object.fromEntries(
    queryParameterNames.flatMap((name) => {
      const value = clickParameters[name];
      return /^(?:utm|gad)_/.test(name) && value !== undefined ? [[name, value]] : [];
    }),
  );

/** As an erasure leaves a lead. */
const withoutVisitor = (lead: LeadToRecord): LeadToRecord => ({
  ...withoutContact(lead),
  clickParameters: campaignOf(lead),
  clickTimes: undefined,
  unusableClicks: undefined,
  keptReference: undefined,
  ipAddress: null,
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  traceParent: undefined,
});

const hashedMarks = ({ email, phone, reference }: LeadToRecord) => ({
  lead: { leadReferences: [reference] },
  contact: { emails: email === null ? [] : [email], phoneNumbers: phone === null ? [] : [phone] },
});

/**
 * Leads as they may be recorded: without what was erased after the visit, and without the contact data of erased persons
 * in accounts that do not register those again, and without the visitors of forgotten accounts. Needs the transaction that records them: an erasure either is seen here,
 * or finds them.
 */
const withoutErased = async (
  on: Queryable,
  leads: readonly LeadToRecord[],
  { openKey }: Pick<ContactCipher, 'openKey'>,
): Promise<LeadToRecord[]> => {
  const accountIds = leads.map(({ accountId }) => accountId);
  await recordBesideErasures(on, accountIds);
  const accounts = new Map((await readAccounts(on, [accountIds])).map((account) => [account.id, account]));
  const asked = leads.flatMap((lead, place) => {
    const { id, data_key: dataKey } = accounts.get(lead.accountId) ?? { data_key: null };
    if (id === undefined || dataKey === null) return [];
    const [keys, { lead: itself, contact }] = [openKey(id, dataKey), hashedMarks(lead)];
    return [
      ...personHashes(keys, itself).map((hash) => ({ id, hash, isLead: true, place })),
      ...personHashes(keys, contact).map((hash) => ({ id, hash, isLead: false, place })),
    ];
  });
  const erased = await findErased(on, [
    asked.map(({ id }) => id),
    asked.map(({ hash }) => hash),
    asked.map(({ isLead }) => isLead),
    asked.map(({ place }) => place),
  ]);
  const cleaned = leads.map((lead) => (accounts.get(lead.accountId)?.data_key === null ? withoutVisitor(lead) : lead));
  for (const { place, is_lead: isLead, erased_at: erasedAt, is_allowed: isAllowed } of erased) {
    const lead = cleaned[place];
    if (!lead) continue;
    const { visitedAt } = lead;
    const isOlder = visitedAt !== undefined && Date.parse(visitedAt) - clockMarginMs <= erasedAt.getTime();
    if (isLead || isOlder) cleaned[place] = withoutVisitor(lead);
    else if (!isAllowed && accounts.get(lead.accountId)?.erased_persons === 'suppress')
      cleaned[place] = withoutContact(lead);
  }
  return cleaned;
};

interface Source {
  readonly relation: string;
  readonly clickParameters: string;
  readonly clickTimes: string;
  readonly globalPrivacyControl: string;
  /** Null: it is now. */
  readonly visitedAt: string;
}

// One statement and one commit for all leads that arrive together, as one JSON parameter, so that the statement is the
// same for any number of them. A lead may arrive twice: from a form submitted twice, or because it was buffered after
// the response to its first write was lost. Sorted, so that two statements cannot deadlock. The conflict is one of the
// reference: a role that names it needs the right to read all references. Plan: nothing is read.
const insertOf = ({ relation, clickParameters, clickTimes, globalPrivacyControl, visitedAt }: Source): string =>
  `insert into lead (account_id, landing_page_id, reference, click_parameters, click_times, user_agent,
                     accept_language, referrer, landing_url, contact, email_hash, consent, consent_scope, global_privacy_control, trace_parent, proof_hash, counts_as_other, unusable_clicks, created_at, is_test, ad_user_data, reported_by)
   select "accountId", "landingPageId", reference, ${clickParameters}, ${clickTimes}, "userAgent",
          "acceptLanguage", referrer, "landingUrl", contact, "emailHash", consent, "consentScope",
          ${globalPrivacyControl}, "traceParent", decode("proofHash", 'hex'), "countsAsOther", "unusableClicks", least(${visitedAt}, now()), coalesce("isTest", false), "adUserData", "reportedBy"
   from ${relation}
   order by "accountId", "isTest", reference
   on conflict do nothing`;

// Of Google, whose ads send the visitor to the site and the click to their tracking template at the same time. If a lead has one, it is
// what `lead_reported_click_index` has of it.
const joinedClick = `coalesce("clickParameters" ->> 'gclid', "clickParameters" ->> 'gbraid', "clickParameters" ->> 'wbraid')`;

/**
 * SQL: inserts the rows of a relation with the `leadColumns` that were reported, except those whose reference is there. Where the browser
 * keeps the reference of an earlier lead, they take over its clicks on other platforms, as pages of ours remember them; a visitor who does
 * not allow that leaves none. A click that Google told in the background, and the report of the same click, are one lead.
 */
export const insertOfReported = (relation: string): string =>
  `with reported as materialized (select *, row_number() over () as place from ${relation}),
   joined as materialized (
     select its.* from (
       select array_agg("accountId" order by place) as accounts, array_agg(coalesce("isTest", false) order by place) as tests,
              array_agg(${joinedClick} order by place) as clicks, array_agg("reportedBy" = 'background' order by place) as in_background
       from reported) them
     cross join lateral join_background_clicks(accounts, tests, clicks, in_background) its
   )
   ${insertOf({
     relation: `reported left join joined using (place)
   cross join lateral (
     select case when "keptReference" is not null and consent is distinct from false and not "globalPrivacyControl"
                 then remembered_clicks("accountId", coalesce("isTest", false), "keptReference", "clickParameters",
                                        least("visitedAt", now()), '${JSON.stringify(clickIdsByPlatform)}') end as remembered) earlier
   where is_known is not true`,
     clickParameters: `coalesce(click_parameters, '{}') || coalesce(remembered -> 'ids', '{}') || "clickParameters"`,
     clickTimes: `case when remembered is null then "clickTimes" else remembered -> 'times' || coalesce("clickTimes", '{}') end`,
     globalPrivacyControl: '"globalPrivacyControl" or coalesce(global_privacy_control, false)',
     visitedAt: 'clicked_at, "visitedAt"',
   })}`;

/** SQL: the columns of a `StoredLead`, for `json_to_recordset`. */
export const leadColumns = `
     "accountId" bigint, "landingPageId" bigint, reference text, "clickParameters" jsonb, "clickTimes" jsonb,
     "userAgent" text, "acceptLanguage" text, referrer text, "landingUrl" text, contact bytea, "emailHash" text, consent boolean, "consentScope" text, "globalPrivacyControl" boolean, "traceParent" text,
     "proofHash" text, "countsAsOther" boolean, "unusableClicks" jsonb, "visitedAt" timestamptz, "isTest" boolean, "adUserData" boolean, "reportedBy" text, "keptReference" text`;

const storedRows = `json_to_recordset($1) as (${leadColumns})`;
const insert = preparedStatement(
  'record-leads',
  insertOf({
    relation: storedRows,
    clickParameters: '"clickParameters"',
    clickTimes: '"clickTimes"',
    globalPrivacyControl: '"globalPrivacyControl"',
    visitedAt: '"visitedAt"',
  }),
);
// most leads keep nothing and are told once, and pay for nothing
const insertReported = preparedStatement('record-reported-leads', insertOfReported(storedRows));

type StoredLead<Lead extends LeadToRecord> = Omit<Lead, keyof ContactData> & {
  readonly contact?: string | undefined;
  readonly emailHash?: string | undefined;
};

/** A lead as it is stored, with its contact data encrypted. */
export const storedLead = <Lead extends LeadToRecord>(lead: Lead, { keys }: AccountContacts): StoredLead<Lead> => {
  const { name, email, phone, ipAddress, ...stored } = lead;
  const { accountId, reference } = lead;
  const contact = keys && encryptContact(keys, contactOfLead(accountId, reference), { name, email, phone, ipAddress });
  const key = emailKeyIn(email);
  const emailHash = keys && key !== undefined ? lookupHash(keys, 'email', key) : undefined;
  return { ...stored, contact: contact && byteaText(contact), emailHash };
};

const accountsOf = (leads: readonly LeadToRecord[]) => leads.map(({ accountId }) => accountId);

type ContactsOf = Awaited<ReturnType<ContactCipher['ofAccounts']>>;

const insertLeads = async (on: Queryable, leads: readonly LeadToRecord[], contactsOf: ContactsOf): Promise<void> => {
  const insertAll = async (run: typeof insert, some: readonly LeadToRecord[]) => {
    if (some.length > 0)
      await run(on, [JSON.stringify(some.map((lead) => storedLead(lead, contactsOf(lead.accountId))))]);
  };
  if (leads.every(({ reportedBy }) => reportedBy === undefined)) return insertAll(insert, leads);
  // a report of the same click finds it
  const isFirst = ({ reportedBy }: LeadToRecord) => reportedBy === 'background';
  await insertAll(insertReported, leads.filter(isFirst));
  await insertAll(
    insertReported,
    leads.filter((lead) => !isFirst(lead)),
  );
};

const insertUnlessErased = (pool: Pool, leads: readonly LeadToRecord[], contacts: ContactCipher): Promise<void> =>
  transaction(pool, async (on) => {
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
 * Holds the leads of one statement until it runs. Returns a function that records one lead, unless it exists already, and
 * resolves once it is committed. Of an erased person whom the account does not register again, it records no contact data.
 * Throws the refusal `overloaded` at once while many leads wait.
 */
export const leadRecorder = (pool: Pool, contacts: ContactCipher): ((lead: LeadToRecord) => Promise<true>) =>
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
export const bufferedLeadRecorder = (pool: Pool, contacts: ContactCipher): ((lead: LeadToRecord) => Promise<true>) =>
  recorder(async (leads) => {
    await insertUnlessErased(pool, leads, contacts);
    await applyConsentWithdrawals(
      pool,
      leads.map(({ reference }) => reference),
    );
  }, limits);
