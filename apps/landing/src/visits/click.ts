import { type ClickParameters, cookieParameterNames, type NewLead, queryParameterNames } from '@leadback/domain';
import type { Request } from 'express';
import { createIsbotFromList, list } from 'isbot';
import { capturedText, decodeText, type Exchange, readQuery } from './exchange.ts';
import { cachedBy } from '../pages/pages.ts';

/** What a request shows about the click and its visitor. */
export type Click = Pick<
  NewLead,
  'clickParameters' | 'ipAddress' | 'userAgent' | 'acceptLanguage' | 'referrer' | 'landingUrl' | 'globalPrivacyControl'
>;

const queryNames: ReadonlySet<string> = new Set(queryParameterNames);

// Leadback may have set `_fbp`; whether it is used depends on consent: see cookies.ts
const pixelCookieNames = cookieParameterNames.filter((name) => name !== '_fbp');

/** The first non-empty value of each click parameter. */
const readParameters = (requestTarget: string): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  for (const [name, sent] of readQuery(requestTarget)) {
    const value = queryNames.has(name) && !values.has(name) ? capturedText(sent) : null;
    if (value !== null) values.set(name, value);
  }
  return values;
};

const clickParametersOf = ({ request, cookies }: Exchange): ClickParameters => {
  const sent = readParameters(request.originalUrl);
  const clickParameters: ClickParameters = {};
  for (const name of queryParameterNames) {
    const value = sent.get(name);
    if (value !== undefined) clickParameters[name] = value;
  }
  for (const name of pixelCookieNames) {
    const value = capturedText(cookies.get(name)?.[0]);
    if (value !== null) clickParameters[name] = value;
  }
  return clickParameters;
};

const ipv4InIpv6 = /^::ffff:(?=\d+\.)/i;

const header = (request: Request, name: string) => capturedText(decodeText(request.get(name) ?? ''));

/** What a page needs of the click when it is shown. */
export type ShownClick = Pick<Click, 'clickParameters' | 'referrer' | 'globalPrivacyControl'>;

/** Reads the part of the click that a shown page needs. Never throws, whatever the browser sent. */
export const readShownClick = (exchange: Exchange): ShownClick => ({
  clickParameters: clickParametersOf(exchange),
  referrer: header(exchange.request, 'referer'),
  globalPrivacyControl: exchange.request.get('sec-gpc') === '1',
});

/** Reads the click from a request. Never throws, whatever the browser sent. */
export const readClick = (exchange: Exchange): Click => {
  const { request, protocol } = exchange;
  return {
    ...readShownClick(exchange),
    ipAddress: capturedText(request.ip?.replace(ipv4InIpv6, '')),
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

// A headless browser counts as a browser: advertisers check their campaigns with it.
const matchesBot = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'));
const isBot = cachedBy();

// the standard header, and those of older browsers
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export const classifyRequester = (request: Request): Requester => {
  const userAgent = request.get('user-agent') ?? '';
  if (request.method === 'HEAD' || isBot(userAgent, () => matchesBot(userAgent))) return 'bot';
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
