import { isIP } from 'node:net';
import {
  type AccountMode,
  capturedText,
  type ClickParameters,
  type ClickTimes,
  clickIdNames,
  consentSchema,
  type ConsentWords,
  consentWordsOf,
  fbpShape,
  isQueryParameter,
  occurredAtSchema,
  optionalText,
  queryParameterNames,
  type ReadClickParameters,
  readClickParameters,
  Refusal,
  requiredText,
  type Warning,
} from '@leadback/domain';
import { type ContactCipher, type Pool, preparedStatement, type Queryable } from '@leadback/db';
import { isGenuineLeadReference, issueLeadReference, type Keys, leadReferenceOf } from '@leadback/domain/keys';
import { z } from 'zod';
import { onceEach, type Tried, tryAgain } from '../once.ts';
import { insertOfLeads, leadColumns, type LeadToRecord, storedLead } from './record.ts';
import { referenceCookieName } from './reference-cookie.ts';
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
      .optional()
      .meta({ description: 'Whether the visitor sent the header `Sec-GPC: 1`.' }),
    page: optionalText(64).meta({
      description:
        'The slug of the page of your account that counts the lead. Default: a page for all leads of your server that name none.',
    }),
  },
  { error: 'expected a JSON object' },
);

export type LeadInput = Readonly<z.infer<typeof leadSchema>>;

const queryOf = (url: string): string => {
  const [address = ''] = url.split('#', 1);
  const mark = address.indexOf('?');
  return mark === -1 ? '' : address.slice(mark + 1);
};

const sentOf = (clickParameters: ClickParameters): [string, string][] =>
  queryParameterNames.flatMap((name): [string, string][] => {
    const value = clickParameters[name];
    return value === undefined ? [] : [[name, value]];
  });

/** The rest of a query may name a person, or let somebody in. */
const pageAddress = (url: string, clickParameters: ClickParameters): string | null => {
  const { origin, pathname } = new URL(url);
  const query = new URLSearchParams(sentOf(clickParameters)).toString();
  return capturedText(origin + pathname + (query === '' ? '' : `?${query}`));
};

const withoutQuery = (referrer: string | undefined): string | null => {
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  const { protocol, host, pathname } = new URL(referrer);
  return capturedText(`${protocol}//${host}${pathname}`);
};

const ipv4InIpv6 = /^::ffff:(?=\d+\.)/i;

const ipAddressOf = (ip: string | undefined): string | null => {
  const address = (ip ?? '').replace(ipv4InIpv6, '');
  return isIP(address) === 0 ? null : address;
};

type LeadConsent = Pick<LeadToRecord, 'consent' | 'consentScope' | 'adUserData'>;

/** As a page of ours would have asked. That of personalisation alone was granted says nothing of sharing. */
const leadConsent = ({ adUserData, adPersonalization }: ConsentWords): LeadConsent => {
  if (adUserData === false) return { consent: false, consentScope: 'sharing' };
  const isAgreed = adUserData || undefined;
  if (adPersonalization === false) return { consent: false, consentScope: 'personalisation', adUserData: isAgreed };
  if (isAgreed && adPersonalization) return { consent: true, consentScope: 'sharing' };
  return { consent: null, consentScope: null, adUserData: isAgreed };
};

const cookieIn = ({ cookies }: LeadInput, name: string): string | undefined => {
  const value = cookies?.[name];
  return typeof value === 'string' ? value : undefined;
};

const readClick = (input: LeadInput, nowMs: number): ReadClickParameters => {
  const click = readClickParameters(queryOf(input.url), nowMs, (name) => cookieIn(input, name));
  const fbp = cookieIn(input, '_fbp');
  if (fbp === undefined || !fbpShape.test(fbp)) return click;
  return { ...click, clickParameters: { ...click.clickParameters, _fbp: fbp } };
};

/** Whether the URL shows that an ad or a campaign brought the visitor. */
const isClick = ({ clickParameters, unusableClicks }: ReadClickParameters): boolean =>
  Object.keys(clickParameters).some(isQueryParameter) || Object.keys(unusableClicks).some(isQueryParameter);

const clickIdsIn = (clickParameters: ClickParameters): ClickParameters =>
  Object.fromEntries(
    clickIdNames.flatMap((name) => {
      const id = clickParameters[name];
      return id === undefined ? [] : [[name, id]];
    }),
  );

const clickTimesOf = ({ clickedAtMs }: ReadClickParameters): ClickTimes => {
  const times: ClickTimes = {};
  for (const name of clickIdNames) {
    const atMs = clickedAtMs[name];
    if (atMs !== undefined) times[name] = new Date(atMs).toISOString();
  }
  return times;
};

interface WantedLead extends AccountMode {
  readonly input: LeadInput;
  readonly lead: Omit<LeadToRecord, 'landingPageId'>;
  /** Those that the URL had. */
  readonly clickIds: ClickParameters;
  /** The reference that the browser keeps; null: none that we issued. */
  readonly keptReference: string | null;
  /** Whether the first statement found a lead that lacks its click, or lost to another transaction. */
  readonly isSecondTry?: boolean;
}

/**
 * The same click of the same visitor has the same reference: a reload, and a request that is sent again because its response was
 * lost, is the same lead. Without a click id, nothing tells two visitors of one campaign apart.
 */
const referenceOf = (keys: Keys, { accountId, isTest }: AccountMode, lead: Omit<WantedLead['lead'], 'reference'>) => {
  const { clickParameters, ipAddress, userAgent, consent, consentScope, adUserData, globalPrivacyControl } = lead;
  if (Object.keys(clickIdsIn(clickParameters)).length === 0) return issueLeadReference(keys);
  const said = [consent, consentScope, adUserData ?? null, globalPrivacyControl];
  const seed = ['server', accountId, isTest, sentOf(clickParameters), ipAddress, userAgent, ...said];
  return leadReferenceOf(keys, JSON.stringify(seed));
};

interface LeadRequest {
  readonly mode: AccountMode;
  readonly input: LeadInput;
  readonly traceParent: string | undefined;
}

const wantedLead = (keys: Keys, { mode, input, traceParent }: LeadRequest, read: ReadClickParameters): WantedLead => {
  const { clickParameters, unusableClicks } = read;
  const lead = {
    ...mode,
    clickParameters,
    clickTimes: clickTimesOf(read),
    ...(Object.keys(unusableClicks).length > 0 && { unusableClicks }),
    ipAddress: ipAddressOf(input.ip),
    userAgent: capturedText(input.userAgent),
    acceptLanguage: null,
    referrer: withoutQuery(input.referrer),
    landingUrl: pageAddress(input.url, clickParameters),
    name: null,
    email: null,
    phone: null,
    ...leadConsent(consentWordsOf(input.consent)),
    globalPrivacyControl: input.globalPrivacyControl ?? false,
    visitedAt: input.occurredAt,
    ...(traceParent !== undefined && { traceParent }),
  };
  const reference = referenceOf(keys, mode, lead);
  const [kept = ''] = (cookieIn(input, referenceCookieName) ?? '').split('.', 1);
  const keptReference = isGenuineLeadReference(keys, kept) ? kept : null;
  return { ...mode, input, lead: { ...lead, reference }, clickIds: clickIdsIn(clickParameters), keptReference };
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

// Leads that arrive together share one statement and one commit. The lead of the reference that the browser keeps is the same if it has
// what the URL has, and the visitor says the same. Plan: each lead by its reference; see `preparedStatement`.
const insert = preparedStatement<Row>(
  'register-leads',
  `with input as materialized (
     select i.*, coalesce(kept.id, known.id) as known_id, coalesce(kept.reference, i.reference) as known_reference,
            kept.id is not null or known.is_whole as is_whole, coalesce(kept.created_at, known.created_at) as known_at,
            ${isInRange} as is_in_range
     from rows from (json_to_recordset($1) as (${leadColumns}, "clickIds" jsonb, sent jsonb, "keptReference" text))
       with ordinality as i
     left join lateral (
       select id, created_at, click_parameters @> i."clickIds" as is_whole from lead
       where reference = i.reference and account_id = i."accountId" and is_test = i."isTest" limit 1) known on true
     left join lateral (
       select id, reference, created_at from lead l
       where l.reference = i."keptReference" and l.account_id = i."accountId" and l.is_test = i."isTest"
         and case when i."clickIds" = '{}' then l.click_parameters @> i.sent and l.created_at > now() - ${sameVisit}
                  else l.click_parameters @> i."clickIds" end
         and row(l.consent, l.consent_scope, l.ad_user_data, l.global_privacy_control)
             is not distinct from row(i.consent, i."consentScope", i."adUserData", i."globalPrivacyControl")
       limit 1) kept on true
   ), inserted as (
     ${insertOfLeads('(select * from input where known_id is null and is_in_range) fresh')}
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
  const stored = wanted.flatMap(({ accountId, lead, clickIds, keptReference }, index) => {
    const landingPageId = pages[index] ?? null;
    if (landingPageId === null) return [];
    const sent = Object.fromEntries(sentOf(lead.clickParameters));
    return [{ ...storedLead({ ...lead, landingPageId }, contactsOf(accountId)), clickIds, sent, keptReference }];
  });
  const rows = stored.length === 0 ? [] : await insert(on, [JSON.stringify(stored)]);
  let next = 0;
  return wanted.map((_, index): Tried<Result> => {
    if ((pages[index] ?? null) === null) return { kind: 'page-missing' };
    const row = rows[next];
    next += 1;
    if (row === undefined) throw new Error('fewer rows than leads');
    return resultOf(row);
  });
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
      return { lead: null, warnings: [{ code: 'not-usable', field: 'userAgent' }], isRepeated: false };
    }
    const read = readClick(input, input.occurredAt === undefined ? Date.now() : Date.parse(input.occurredAt));
    if (!isClick(read)) return { lead: null, warnings: [], isRepeated: false };
    const item = wantedLead(referenceKeys, request, read);
    const warnings: Warning[] =
      input.ip !== undefined && item.lead.ipAddress === null ? [{ code: 'not-usable', field: 'ip' }] : [];
    for (let tries = 0; ; tries += 1) {
      const { result, isRepeated } = await register({ item, idempotencyKey });
      if (result.kind === 'created' || result.kind === 'known') {
        const { kind: outcome, ...lead } = result;
        return { lead: { ...lead, outcome }, warnings, isRepeated };
      }
      if (input.page !== undefined || tries > 0) throw new Refusal('invalid-fields.page');
      await addServerPage(pool, { accountId: mode.accountId, actor, url: input.url });
    }
  };
};
