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
  type Reporter,
} from '@leadback/domain';
import { isGenuineLeadReference, issueLeadReference, type Keys, leadReferenceOf } from '@leadback/domain/keys';
import type { LeadToRecord } from './record.ts';
import { referenceCookieName } from './reference-cookie.ts';

/** A visit to a page of the advertiser's own, as its server, the script on the page, or its platform reports it. */
export interface ReportedVisit {
  readonly reportedBy: Reporter;
  /** With http or https; as it was sent, and as it was read. */
  readonly url: string;
  readonly address: URL;
  readonly referrer: string | undefined;
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
  readonly acceptLanguage?: string | null;
  /** Of its cookies. */
  readonly cookieOf: (name: string) => string | undefined;
  readonly consent: ConsentWords;
  readonly globalPrivacyControl: boolean;
  /** Whether new words of consent change the lead of the same click. If not, they make another one. */
  readonly changesConsent: boolean;
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
  const [mark, end] = [url.indexOf('?'), url.indexOf('#')];
  if (mark === -1 || (end !== -1 && end < mark)) return '';
  return end === -1 ? url.slice(mark + 1) : url.slice(mark + 1, end);
};

/** What the URL had, in one order. */
export const sentOf = (clickParameters: ClickParameters): [string, string][] => {
  const sent: [string, string][] = [];
  for (const name of queryParameterNames) {
    const value = clickParameters[name];
    if (value !== undefined) sent.push([name, value]);
  }
  return sent;
};

/** The rest of a query may name a person, or let somebody in. */
const pageAddress = ({ origin, pathname }: URL, sent: [string, string][]): string | null => {
  const query = new URLSearchParams(sent).toString();
  return capturedText(origin + pathname + (query === '' ? '' : `?${query}`));
};

const withoutQuery = (referrer: string | undefined): string | null => {
  const address = referrer === undefined ? null : URL.parse(referrer);
  return address && capturedText(`${address.protocol}//${address.host}${address.pathname}`);
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
const referenceOf = (
  keys: Keys,
  { accountId, isTest }: AccountMode,
  lead: Omit<ReportedLead, 'reference'>,
  { changesConsent }: Pick<ReportedVisit, 'changesConsent'>,
  sent: readonly [string, string][],
): string => {
  const { clickParameters, ipAddress, userAgent, consent, consentScope, adUserData, globalPrivacyControl } = lead;
  if (!clickIdNames.some((name) => clickParameters[name] !== undefined)) return issueLeadReference(keys);
  const isSilent = consent === null && adUserData === undefined && !globalPrivacyControl;
  const said = changesConsent || isSilent ? [] : [consent, consentScope, adUserData ?? null, globalPrivacyControl];
  const seed = ['reported', accountId, isTest, sent, ipAddress, userAgent, ...said];
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
  const sent = sentOf(clickParameters);
  const keptReference = keptReferenceOf(keys, visit.cookieOf);
  const lead = {
    ...mode,
    clickParameters,
    clickTimes: clickTimesOf(read),
    ...(Object.keys(unusableClicks).length > 0 && { unusableClicks }),
    ipAddress: ipAddressOf(visit.ip),
    userAgent: capturedText(visit.userAgent),
    acceptLanguage: visit.acceptLanguage ?? null,
    referrer: withoutQuery(visit.referrer),
    landingUrl: pageAddress(visit.address, sent),
    name: null,
    email: null,
    phone: null,
    ...leadConsent(visit.consent),
    globalPrivacyControl: visit.globalPrivacyControl,
    reportedBy: visit.reportedBy,
    ...(keptReference !== null && { keptReference }),
    ...(visit.traceParent !== undefined && { traceParent: visit.traceParent }),
  };
  return { ...lead, reference: referenceOf(keys, mode, lead, visit, sent) };
};
