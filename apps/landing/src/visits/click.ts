import { type ClickParameters, cookieParameterNames, type NewLead, queryParameterNames } from '@leadback/domain';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { capturedText } from './captured-text.ts';
import { readQuery, decodeText } from './decode-text.ts';

/** What a request shows about the click and its visitor. */
export type Click = Pick<
  NewLead,
  'clickParameters' | 'ipAddress' | 'userAgent' | 'acceptLanguage' | 'referrer' | 'landingUrl' | 'globalPrivacyControl'
>;

/** The cookies of a request, without unreadable ones. */
export const cookiesOf = (request: Request): Partial<Record<string, string>> =>
  parseCookie(decodeText(request.headers.cookie ?? ''));

/** All values of a cookie in the order sent: a browser may have one per domain and path. */
export const cookieValues = (request: Request, name: string): string[] =>
  decodeText(request.headers.cookie ?? '')
    .split(';')
    .flatMap((pair) => parseCookie(pair)[name] ?? []);

// Leadback may have set `_fbp`; whether it is used depends on consent: see fbp-cookie.ts
const pixelCookieNames = cookieParameterNames.filter((name) => name !== '_fbp');

// of several values for one name, the first non-empty one counts
const clickParametersOf = (request: Request): ClickParameters => {
  const query = readQuery(request.originalUrl);
  const cookies = cookiesOf(request);
  const sent = (name: string) => query.flatMap(([given, value]) => (given === name ? (capturedText(value) ?? []) : []));
  const seen = [
    ...queryParameterNames.map((name) => [name, sent(name)[0]] as const),
    ...pixelCookieNames.map((name) => [name, capturedText(cookies[name]) ?? undefined] as const),
  ];
  return Object.fromEntries(seen.filter(([, value]) => value !== undefined));
};

const ipv4InIpv6 = /^::ffff:(?=\d+\.)/i;

/** Reads the click from a request. Never throws, whatever the browser sent. */
export const readClick = (request: Request): Click => {
  const header = (name: string) => capturedText(decodeText(request.get(name) ?? ''));
  return {
    clickParameters: clickParametersOf(request),
    ipAddress: capturedText(request.ip?.replace(ipv4InIpv6, '')),
    userAgent: header('user-agent'),
    acceptLanguage: header('accept-language'),
    referrer: header('referer'),
    landingUrl: capturedText(`${request.protocol}://${request.host ?? ''}${request.originalUrl}`),
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
};
