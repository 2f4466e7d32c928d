import {
  type AccountMode,
  type ClickParameters,
  consentSchema,
  consentWordsOf,
  occurredAtSchema,
  optionalText,
  type ReadClickParameters,
  Refusal,
  requiredText,
  type Warning,
} from '@leadback/domain';
import {
  clickIdFor,
  type ContactCipher,
  hasClickId,
  type Pool,
  type PoolClient,
  preparedStatement,
  type Queryable,
} from '@leadback/db';
import { issueLeadReference, type Keys } from '@leadback/domain/keys';
import { z } from 'zod';
import { onceEach, type Tried, tryAgain } from '../once.ts';
import { leadAdvice } from './advice.ts';
import { tellLeads } from './consent.ts';
import { insertOfReported, leadColumns, type LeadToRecord, storedLead } from './record.ts';
import { clickIdsIn, cookieReader, leadOfReport, readReportedClick, type ReportedVisit, sentOf } from './reported.ts';
import { isBotAgent } from './requester.ts';
import { addServerPage, findPageIds } from './server-page.ts';

// no usual server takes longer headers
const headerLongest = 16_384;

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** A lead as the advertiser's own server sends it. */
export const leadSchema = z.object(
  {
    url: requiredText(headerLongest)
      .refine(isWebAddress, 'expected an http or https URL, such as https://shop.example/?gclid=Cj0KCQ')
      .meta({
        description:
          'The whole URL with which the visitor arrived at your page. Of its query, only click ids and `utm_…` parameters are kept.',
      }),
    referrer: optionalText(headerLongest).meta({
      description: 'The header `Referer` of the visitor. It is kept without its query.',
    }),
    ip: optionalText(64).meta({ description: "The visitor's IP address, not that of your server or proxy." }),
    userAgent: optionalText(headerLongest).meta({
      description: 'The header `User-Agent` of the visitor. Crawlers and link previews make no lead.',
    }),
    cookies: z
      .record(z.string(), z.unknown(), 'expected an object such as {"_fbp": "fb.1.1700000000000.1234567890"}')
      .nullish()
      .meta({
        description:
          'The cookies of pixels by their names (`_fbp`, `_fbc`, `_ttp`, `_epik`, `_scid`, `_rdt_uuid`), and `leadback`: with it, a reload is the same lead from any network. Send no others: they are ignored.',
      }),
    occurredAt: occurredAtSchema.meta({
      description: 'When the visitor arrived. Default: now.',
      examples: ['2026-11-21T09:30:00-03:00'],
    }),
    consent: consentSchema.meta({
      description:
        'What the visitor told you. Where it is denied, platforms are told nothing. What you leave out counts as not asked.',
    }),
    globalPrivacyControl: z
      .boolean('expected true or false')
      .nullish()
      .meta({ description: 'Whether the visitor sent the header `Sec-GPC: 1`.' }),
    page: optionalText(64).meta({
      description:
        'The slug of the page of your account that counts the lead. Default: a page for all leads of your server that name none.',
    }),
  },
  { error: 'expected a JSON object' },
);

export type LeadInput = Readonly<z.infer<typeof leadSchema>>;

interface WantedLead extends AccountMode {
  readonly input: LeadInput;
  readonly lead: Omit<LeadToRecord, 'landingPageId'>;
  /** Those that the URL had. */
  readonly clickIds: ClickParameters;
  /** Whether the first statement found a lead that lacks its click, or lost to another transaction. */
  readonly isSecondTry?: boolean;
}

interface LeadRequest {
  readonly mode: AccountMode;
  readonly input: LeadInput;
  readonly traceParent: string | undefined;
}

const visitOf = ({ input, traceParent }: LeadRequest): ReportedVisit => ({
  reportedBy: 'server',
  url: input.url,
  address: new URL(input.url),
  referrer: input.referrer,
  ip: input.ip,
  userAgent: input.userAgent,
  cookieOf: cookieReader(input.cookies),
  consent: consentWordsOf(input.consent),
  globalPrivacyControl: input.globalPrivacyControl ?? false,
  changesConsent: true,
  traceParent,
});

const wantedLead = (
  keys: Keys,
  { mode, input }: LeadRequest,
  visit: ReportedVisit,
  read: ReadClickParameters,
): WantedLead => {
  const lead = { ...leadOfReport(keys, mode, visit, read), visitedAt: input.occurredAt };
  return { ...mode, input, lead, clickIds: clickIdsIn(lead.clickParameters) };
};

const resultSchema = z.discriminatedUnion('kind', [
  // `clickedMs`: milliseconds since 1970
  z.object({ kind: z.enum(['created', 'known']), id: z.number(), reference: z.string(), clickedMs: z.number() }),
  z.object({ kind: z.enum(['page-missing', 'not-in-range']) }),
]);
type Result = Readonly<z.infer<typeof resultSchema>>;

interface Row {
  readonly is_in_range: boolean;
  readonly reference: string;
  readonly known_id: number | null;
  /** Whether it still has the click ids: nothing has erased them. */
  readonly is_whole: boolean | null;
  readonly inserted_id: number | null;
  readonly clicked_at: Date | null;
}

const isInRange = `("visitedAt" is null or "visitedAt" between now() - interval '400 days' and now() + interval '5 minutes')`;

/** A visit without click ids is the same for so long: a reload, and not the next click. */
const sameVisit = `interval '30 minutes'`;

/** SQL: whether the lead can get the words of i. What a visitor has withdrawn stays so: who agrees later leaves another lead. */
const isOpen = (lead: string): string => `(${lead}.consent_withdrawn_at is null or not i.agrees)`;

// Leads that arrive together share one statement and one commit. The lead of the reference that the browser keeps is the same if it has
// what the URL has, whatever it says of consent. Plan: each lead by its reference; see `preparedStatement`.
const insert = preparedStatement<Row>(
  'register-leads',
  `with input as materialized (
     select i.*, coalesce(kept.id, known.id) as known_id, coalesce(kept.reference, i.reference) as known_reference,
            kept.id is not null or known.is_whole as is_whole, coalesce(kept.created_at, known.created_at) as known_at,
            ${isInRange} as is_in_range
     from rows from (json_to_recordset($1) as (${leadColumns}, "clickIds" jsonb, sent jsonb, "agrees" boolean))
       with ordinality as i
     left join lateral (
       select id, created_at, click_parameters @> i."clickIds" and ${isOpen('lead')} as is_whole from lead
       where reference = i.reference and account_id = i."accountId" and is_test = i."isTest" limit 1) known on true
     left join lateral (
       select id, reference, created_at from lead l
       where l.reference = i."keptReference" and l.account_id = i."accountId" and l.is_test = i."isTest"
         and case when i."clickIds" = '{}' then l.click_parameters @> i.sent and l.created_at > now() - ${sameVisit}
                  else l.click_parameters @> i."clickIds" end
         and ${isOpen('l')}
       limit 1) kept on true
   ), inserted as (
     ${insertOfReported('(select * from input where known_id is null and is_in_range) fresh')}
     returning id, reference, created_at
   )
   select i.is_in_range, i.known_reference as reference, i.known_id, i.is_whole, n.id as inserted_id,
          coalesce(i.known_at, n.created_at) as clicked_at
   from input i left join inserted n on n.reference = i.reference
   order by i.ordinality`,
);

const resultOf = (row: Row): Tried<Result> => {
  const { reference } = row;
  if (!row.is_in_range) return { kind: 'not-in-range' };
  const id = row.known_id ?? row.inserted_id;
  if (id === null || row.clicked_at === null || row.is_whole === false) return tryAgain;
  return { kind: row.known_id === null ? 'created' : 'known', id, reference, clickedMs: row.clicked_at.getTime() };
};

const insertLeads = async (
  on: Queryable,
  wanted: readonly WantedLead[],
  contacts: ContactCipher,
): Promise<Tried<Result>[]> => {
  const pages = await findPageIds(
    on,
    wanted.map(({ accountId, input }) => ({ accountId, slug: input.page })),
  );
  const contactsOf = await contacts.ofAccounts(
    on,
    wanted.map(({ accountId }) => accountId),
  );
  const stored = wanted.flatMap(({ accountId, input, lead, clickIds }, index) => {
    const landingPageId = pages[index] ?? null;
    if (landingPageId === null) return [];
    const sent = Object.fromEntries(sentOf(lead.clickParameters));
    const agrees = consentWordsOf(input.consent).adUserData === true;
    return [{ ...storedLead({ ...lead, landingPageId }, contactsOf(accountId)), clickIds, sent, agrees }];
  });
  const rows = stored.length === 0 ? [] : await insert(on, [JSON.stringify(stored)]);
  let next = 0;
  const results = wanted.map((_, index): Tried<Result> => {
    if ((pages[index] ?? null) === null) return { kind: 'page-missing' };
    const row = rows[next];
    next += 1;
    if (row === undefined) throw new Error('fewer rows than leads');
    return resultOf(row);
  });
  await tellLeads(
    on,
    wanted.flatMap(({ accountId, input }, index) => {
      const result = results[index];
      if (result === undefined || result === tryAgain || result.kind !== 'known') return [];
      const globalPrivacyControl = input.globalPrivacyControl ?? false;
      return [{ accountId, leadId: result.id, ...consentWordsOf(input.consent), globalPrivacyControl }];
    }),
  );
  return results;
};

/** What a registered lead came to. Null: nothing shows that an ad brought a visitor. */
interface RegisteredLead {
  readonly id: number;
  readonly reference: string;
  readonly clickedMs: number;
  readonly outcome: 'created' | 'known';
}

interface LeadReply {
  readonly lead: RegisteredLead | null;
  readonly warnings: readonly Warning[];
  /** For a test key. */
  readonly advice: readonly string[];
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

interface RegistrarOptions {
  readonly referenceKeys: Keys;
  readonly contacts: ContactCipher;
}

interface LeadCaller extends LeadRequest {
  /** For the audit log. */
  readonly actor: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Holds the requests that wait to share a statement. Returns a function that records a lead which the advertiser's own server
 * reports, or finds the one of the same click and visitor. Adds the page of such leads with the first one that names none.
 */
export const leadRegistrar = (pool: Pool, { referenceKeys, contacts }: RegistrarOptions) => {
  const register = onceEach<WantedLead, Result, Result>(pool, {
    route: ({ isTest }) => (isTest ? 'test lead' : 'lead'),
    // a reference may be random; a fingerprint has the fields of the item alone, and not those inside
    fingerprinted: ({ accountId, input }) => ({ accountId, input: JSON.stringify(input) }),
    run: (on, wanted) => insertLeads(on, wanted, contacts),
    schema: resultSchema,
    isFinal: ({ kind }) => kind === 'created' || kind === 'known',
    // a lead that lost is there now; one that was erased stays so, and the visitor has come again
    secondTry: ({ lead, isSecondTry, ...wanted }) => ({
      ...wanted,
      lead: isSecondTry === true ? { ...lead, reference: issueLeadReference(referenceKeys) } : lead,
      isSecondTry: true,
    }),
    accept(result) {
      if (result.kind === 'not-in-range') throw new Refusal('invalid-fields.occurredAt');
      return result;
    },
  });

  return async ({ actor, idempotencyKey, ...request }: LeadCaller): Promise<LeadReply> => {
    const { mode, input } = request;
    if (input.userAgent !== undefined && isBotAgent(input.userAgent)) {
      return { lead: null, warnings: [{ code: 'not-usable', field: 'userAgent' }], advice: [], isRepeated: false };
    }
    const visit = visitOf(request);
    const read = readReportedClick(visit, input.occurredAt === undefined ? Date.now() : Date.parse(input.occurredAt));
    if (read === undefined) return { lead: null, warnings: [], advice: [], isRepeated: false };
    const item = wantedLead(referenceKeys, request, visit, read);
    const warnings: Warning[] =
      input.ip !== undefined && item.lead.ipAddress === null ? [{ code: 'not-usable', field: 'ip' }] : [];
    const advice = mode.isTest ? leadAdvice({ ...visit, unusableClicks: read.unusableClicks, lead: item.lead }) : [];
    for (let tries = 0; ; tries += 1) {
      const { result, isRepeated } = await register({ item, idempotencyKey });
      if (result.kind === 'created' || result.kind === 'known') {
        const { kind: outcome, ...lead } = result;
        return { lead: { ...lead, outcome }, warnings, advice, isRepeated };
      }
      if (input.page !== undefined || tries > 0) throw new Refusal('invalid-fields.page');
      await addServerPage(pool, { accountId: mode.accountId, actor, url: input.url });
    }
  };
};

// Plan: the leads of a click by their index. One of a click in the background gives way to the one that is recorded now.
const findByClick = preparedStatement<{ reference: string }>(
  'find-lead-of-click',
  `select reference from lead
   where ${hasClickId('$1', '$2')} and is_test = $3 and reported_by <> 'background'
   order by id limit 1`,
);

/**
 * Finds the lead of a click that a shop reports with its sale, or records one, in a
 * transaction. A visit to a landing page of ours is found by its reference alone. Who pays is no crawler, whatever its `User-Agent`. Undefined: the URL shows no click, or the visit is too old.
 */
export const registerClick = async (
  on: PoolClient,
  { referenceKeys, contacts }: RegistrarOptions,
  { actor, ...request }: Omit<LeadCaller, 'idempotencyKey'>,
): Promise<string | undefined> => {
  const { mode, input } = request;
  const visit = visitOf(request);
  const read = readReportedClick(visit, input.occurredAt === undefined ? Date.now() : Date.parse(input.occurredAt));
  if (read === undefined) return undefined;
  const clickId = clickIdFor(read.clickParameters);
  const [known] = clickId === undefined ? [] : await findByClick(on, [mode.accountId, clickId, mode.isTest]);
  if (known) return known.reference;
  let wanted = wantedLead(referenceKeys, request, visit, read);
  for (let tries = 0; tries < 3; tries += 1) {
    const [result = tryAgain] = await insertLeads(on, [wanted], contacts);
    if (result === tryAgain) {
      wanted = { ...wanted, lead: { ...wanted.lead, reference: issueLeadReference(referenceKeys) } };
    } else if (result.kind === 'page-missing') {
      await addServerPage(on, { accountId: mode.accountId, actor, url: input.url });
    } else {
      return 'reference' in result ? result.reference : undefined;
    }
  }
  return undefined;
};
