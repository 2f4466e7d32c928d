import { isIP } from 'node:net';
import {
  type AccountMode,
  capturedText,
  type ClickParameters,
  type ClickTimes,
  clickIdNames,
  type ConsentWords,
  fbpShape,
  isQueryParameter,
  queryParameterNames,
  type ReadClickParameters,
  readClickParameters,
} from '@leadback/domain';
import { isGenuineLeadReference, issueLeadReference, type Keys, leadReferenceOf } from '@leadback/domain/keys';
import type { LeadToRecord } from './record.ts';
import { referenceCookieName } from './reference-cookie.ts';

/** A visit to a page of the advertiser's own, as its server or the script on the page reports it. */
export interface ReportedVisit {
  /** With http or https. */
  readonly url: string;
  readonly referrer: string | undefined;
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
  readonly acceptLanguage?: string | null;
  /** Of its cookies. */
  readonly cookieOf: (name: string) => string | undefined;
  readonly consent: ConsentWords;
  readonly globalPrivacyControl: boolean;
  readonly traceParent: string | undefined;
}

/** Reads cookies as they were sent in JSON. */
export const cookieReader =
  (cookies: Readonly<Record<string, unknown>> | null | undefined): ReportedVisit['cookieOf'] =>
  (name) => {
    const value = cookies?.[name];
    return typeof value === 'string' ? value : undefined;
  };

/** The reference that the browser keeps; null: none that we issued. */
export const keptReferenceOf = (keys: Keys, cookieOf: ReportedVisit['cookieOf']): string | null => {
  const [kept = ''] = (cookieOf(referenceCookieName) ?? '').split('.', 1);
  return isGenuineLeadReference(keys, kept) ? kept : null;
};

const queryOf = (url: string): string => {
  const [address = ''] = url.split('#', 1);
  const mark = address.indexOf('?');
  return mark === -1 ? '' : address.slice(mark + 1);
};

/** What the URL had, in one order. */
export const sentOf = (clickParameters: ClickParameters): [string, string][] =>
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

/** Reads the click of a visit. Undefined: its URL shows no ad or campaign that brought the visitor. */
export const readReportedClick = (
  { url, cookieOf }: Pick<ReportedVisit, 'url' | 'cookieOf'>,
  nowMs: number,
): ReadClickParameters | undefined => {
  const click = readClickParameters(queryOf(url), nowMs, cookieOf);
  const { clickParameters, unusableClicks } = click;
  const isClick =
    Object.keys(clickParameters).some(isQueryParameter) || Object.keys(unusableClicks).some(isQueryParameter);
  if (!isClick) return undefined;
  const fbp = cookieOf('_fbp');
  if (fbp !== undefined && fbpShape.test(fbp)) clickParameters._fbp = fbp;
  return click;
};

export const clickIdsIn = (clickParameters: ClickParameters): ClickParameters =>
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

/** A lead without the page that counts it. */
export type ReportedLead = Omit<LeadToRecord, 'landingPageId'>;

/**
 * The same click of the same visitor has the same reference: a reload, and a request that is sent again because its response was
 * lost, is the same lead. Without a click id, nothing tells two visitors of one campaign apart.
 */
const referenceOf = (keys: Keys, { accountId, isTest }: AccountMode, lead: Omit<ReportedLead, 'reference'>): string => {
  const { clickParameters, ipAddress, userAgent, consent, consentScope, adUserData, globalPrivacyControl } = lead;
  if (!clickIdNames.some((name) => clickParameters[name] !== undefined)) return issueLeadReference(keys);
  const said = [consent, consentScope, adUserData ?? null, globalPrivacyControl];
  const seed = ['reported', accountId, isTest, sentOf(clickParameters), ipAddress, userAgent, ...said];
  return leadReferenceOf(keys, JSON.stringify(seed));
};

/** The lead of a visit with this click. */
export const leadOfReport = (
  keys: Keys,
  mode: AccountMode,
  visit: ReportedVisit,
  read: ReadClickParameters,
): ReportedLead => {
  const { clickParameters, unusableClicks } = read;
  const lead = {
    ...mode,
    clickParameters,
    clickTimes: clickTimesOf(read),
    ...(Object.keys(unusableClicks).length > 0 && { unusableClicks }),
    ipAddress: ipAddressOf(visit.ip),
    userAgent: capturedText(visit.userAgent),
    acceptLanguage: visit.acceptLanguage ?? null,
    referrer: withoutQuery(visit.referrer),
    landingUrl: pageAddress(visit.url, clickParameters),
    name: null,
    email: null,
    phone: null,
    ...leadConsent(visit.consent),
    globalPrivacyControl: visit.globalPrivacyControl,
    ...(visit.traceParent !== undefined && { traceParent: visit.traceParent }),
  };
  return { ...lead, reference: referenceOf(keys, mode, lead) };
};
