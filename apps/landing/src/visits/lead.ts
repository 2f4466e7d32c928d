import {
  inAdvance,
  issueLeadReference,
  type Keys,
  type LeadProof,
  leadProofOf,
  leadReferenceOf,
  newLeadProof,
  writeOwnLead,
} from '@leadback/domain/keys';
import {
  capturedText,
  type ClickParameters,
  type ClickTimes,
  clickIdNames,
  decodeText,
  type NewLead,
  queryParameterNames,
  type ReadClickParameters,
  readClickParameters,
  readParameter,
} from '@leadback/domain';
import { isBotAgent } from '@leadback/core/leads/requester';
import { bareAddress } from '@leadback/server/http';
import type { Request } from 'express';
import { cachedBy } from '../pages/pages.ts';
import type { ServedPage } from '../pages/served-page.ts';
import {
  clicksElsewhere,
  deleteClicks,
  type PlatformClick,
  loadClicks,
  storeClicks,
  fbpOf,
  deleteFbp,
  pixelFbp,
  type Exchange,
} from './exchange.ts';
import { type Contact, isFreshToken, nothingEntered, type VisitForm } from './form.ts';

/** What a request shows about the click and its visitor. */
interface Click
  extends ReadClickParameters,
    Pick<NewLead, 'ipAddress' | 'userAgent' | 'acceptLanguage' | 'referrer' | 'landingUrl' | 'globalPrivacyControl'> {}

const queryOf = ({ originalUrl }: Request): string => {
  const mark = originalUrl.indexOf('?');
  return mark === -1 ? '' : originalUrl.slice(mark + 1);
};

const clickParametersOf = ({ request, cookies, atMs }: Exchange): ReadClickParameters =>
  readClickParameters(queryOf(request), atMs, (name) => cookies.get(name)?.[0]);

const ipv4InIpv6 = /^::ffff:(?=\d+\.)/i;

const header = (request: Request, name: string) => capturedText(decodeText(request.get(name) ?? ''));

/** What a page needs of the click when it is shown. */
type ShownClick = ReadClickParameters & Pick<Click, 'referrer' | 'globalPrivacyControl'>;

/** Reads the part of the click that a shown page needs. Never throws, whatever the browser sent. */
export const readShownClick = (exchange: Exchange): ShownClick => ({
  ...clickParametersOf(exchange),
  referrer: header(exchange.request, 'referer'),
  globalPrivacyControl: exchange.request.get('sec-gpc') === '1',
});

/** Any parameter that a request was sent with. */
export const parameterOf =
  ({ request }: Exchange) =>
  (name: string): string | undefined =>
    capturedText(readParameter(queryOf(request), name)) ?? undefined;

/** Reads the click from a request. Never throws, whatever the browser sent. */
const readClick = (exchange: Exchange): Click => {
  const { request, protocol } = exchange;
  return {
    ...readShownClick(exchange),
    ipAddress: capturedText(bareAddress(request.ip ?? '').replace(ipv4InIpv6, '')),
    userAgent: header(request, 'user-agent'),
    acceptLanguage: header(request, 'accept-language'),
    landingUrl: capturedText(`${protocol}://${request.host ?? ''}${request.originalUrl}`),
  };
};

/**
 * visitor: a person with a browser. prefetch: a browser or an app that may show the response later. bot: a crawler, a
 * link preview, a command-line client, or a HEAD request.
 */
export type Requester = 'visitor' | 'prefetch' | 'bot';

const isBot = cachedBy();

// the standard header, and those of older browsers
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export const classifyRequester = (request: Request): Requester => {
  const userAgent = request.get('user-agent') ?? '';
  if (request.method === 'HEAD' || isBot(userAgent, () => isBotAgent(userAgent))) return 'bot';
  const isEarly = purposeHeaders.some((name) => {
    const purpose = request.headers[name];
    return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose));
  });
  return isEarly ? 'prefetch' : 'visitor';
};

/**
 * Whether the response is shown as a page, and not used as an image, script or frame. Browsers that send no
 * `Sec-Fetch-Dest` count as navigating.
 */
export const isNavigation = (request: Request): boolean => (request.get('sec-fetch-dest') ?? 'document') === 'document';

/**
 * Whether a browser tells of a click in the background, while its visitor goes straight to the advertiser's page: Google's parallel
 * tracking sends a beacon along the redirects of a tracking template. No response of it reaches a page.
 */
export const isBeacon = ({ headers }: Request): boolean =>
  headers['sec-fetch-dest'] === 'empty' && headers['sec-fetch-mode'] === 'no-cors';

const issuedAtOnce = 64;

/** A reference for a lead, and what proves that the browser has left it. */
interface IssuedReference extends LeadProof {
  readonly reference: string;
  /** By which the browser proves it. */
  readonly cookie: string;
}

export interface LeadReferences {
  /** A new reference and proof. `page`: the same object each time. */
  readonly issue: (page: ServedPage) => IssuedReference;
  /** The same for the same seed, which has a secret of the browser. */
  readonly of: (page: ServedPage, seed: string) => IssuedReference;
}

/** Holds references that were issued in advance. */
export const leadReferences = (keys: { readonly reference: Keys; readonly proof: Keys }): LeadReferences => {
  const issuers = new WeakMap<ServedPage, () => IssuedReference>();

  const withCookie = ({ id: pageId }: ServedPage, reference: string, proven: LeadProof): IssuedReference => ({
    ...proven,
    reference,
    cookie: writeOwnLead(keys.proof, { reference, pageId, proof: proven.proof }),
  });

  const issuerOf = (page: ServedPage) => {
    const known = issuers.get(page);
    if (known) return known;
    const issuer = inAdvance(issuedAtOnce, () => withCookie(page, issueLeadReference(keys.reference), newLeadProof()));
    issuers.set(page, issuer);
    return issuer;
  };

  return {
    issue: (page) => issuerOf(page)(),
    of: (page, seed) => withCookie(page, leadReferenceOf(keys.reference, seed), leadProofOf(keys.proof, seed)),
  };
};

/** Whether clicks may be stored in the browser: consent was not refused, and no Global Privacy Control is sent. */
const mayStore = (click: ShownClick, { consent }: Pick<Contact, 'consent'>) =>
  !click.globalPrivacyControl && consent !== false;

/** What the browser stored on earlier visits. */
interface StoredClicks {
  readonly elsewhere: readonly PlatformClick[];
  readonly fbp: string;
}

const store = (exchange: Exchange, click: ShownClick): StoredClicks => {
  const elsewhere = clicksElsewhere(loadClicks(exchange), click.clickParameters);
  storeClicks(exchange, click, elsewhere);
  return { elsewhere, fbp: fbpOf(exchange) };
};

const deleteStored = (exchange: Exchange): void => {
  deleteClicks(exchange);
  deleteFbp(exchange);
};

/**
 * Stores the click of a page that is shown, unless the page asks for consent first. Deletes stored clicks if the
 * browser sends Global Privacy Control.
 */
export const storeShownClick = (exchange: Exchange, click: ShownClick): void => {
  if (!mayStore(click, nothingEntered)) deleteStored(exchange);
  else if (exchange.page.consentText === null) store(exchange, click);
};

// The same form sent again is the same lead; a corrected form is another one. Cookies do not count: the first response
// may have set some. Of a form that this browser was not shown lately, somebody else may know the token, and so the proof.
const referenceOf = (
  references: LeadReferences,
  { page, atMs }: Exchange,
  { clickParameters }: Click,
  form: VisitForm | undefined,
): IssuedReference => {
  if (!form?.token || !isFreshToken(form.token, atMs)) return references.issue(page);
  const sent = queryParameterNames.map((name) => clickParameters[name] ?? null);
  return references.of(page, JSON.stringify([page.id, form.token, sent, form.contact]));
};

const idsOf = (clicks: readonly PlatformClick[]): ClickParameters =>
  Object.fromEntries(clicks.flatMap(({ ids }) => ids));

const timesOf = (clicks: readonly PlatformClick[], { clickedAtMs: told }: ReadClickParameters): ClickTimes => {
  const times: ClickTimes = {};
  for (const { ids, clickedAtMs } of clicks)
    for (const [name] of ids) times[name] = new Date(clickedAtMs).toISOString();
  for (const name of clickIdNames) {
    const atMs = told[name];
    if (atMs !== undefined) times[name] = new Date(atMs).toISOString();
  }
  return times;
};

/** A lead, and what the browser keeps of it. */
export interface LeftLead {
  readonly lead: NewLead;
  /** What the request had of the click, without what the browser remembers. */
  readonly sent: ClickParameters;
  /** Proves that this browser has left the lead. */
  readonly cookie: string;
}

/**
 * Builds the lead of a visit: from the form of the page, or at once in direct mode. Click parameters come from the
 * URL, and those of other platforms from earlier visits, if the visitor allows it.
 */
export const leadOfVisit = (references: LeadReferences, exchange: Exchange, form?: VisitForm): LeftLead => {
  const { page } = exchange;
  const read = readClick(exchange);
  const { clickedAtMs: _, unusableClicks, ...click } = read;
  const contact = form?.contact ?? nothingEntered;
  const stored = mayStore(read, contact) ? store(exchange, read) : undefined;
  if (!stored) deleteStored(exchange);
  const elsewhere = stored?.elsewhere ?? [];
  // the pixel's `_fbp` is recorded like its other cookies: sharing is decided when the event is sent
  const fbp = stored ? stored.fbp : pixelFbp(exchange);
  const { reference, hash: hashed, cookie } = referenceOf(references, exchange, read, form);
  const lead = {
    accountId: page.accountId,
    landingPageId: page.id,
    reference,
    proofHash: hashed,
    ...click,
    ...contact,
    ...(form && { referrer: form.referrer }),
    clickParameters: { ...idsOf(elsewhere), ...click.clickParameters, ...(fbp !== undefined && { _fbp: fbp }) },
    clickTimes: timesOf(elsewhere, read),
    ...(Object.keys(unusableClicks).length > 0 && { unusableClicks }),
  };
  return { lead, sent: click.clickParameters, cookie };
};
