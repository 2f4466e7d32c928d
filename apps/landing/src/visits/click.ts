import { type ClickParameters, cookieParameterNames, type NewLead, queryParameterNames } from '@leadback/domain';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { capturedText } from './captured-text.ts';
import { readQuery, decodeText } from './decode-text.ts';

/** What a request tells of the click that led to it, and of its visitor. */
export type Click = Pick<
  NewLead,
  'clickParameters' | 'ipAddress' | 'userAgent' | 'acceptLanguage' | 'referrer' | 'landingUrl' | 'globalPrivacyControl'
>;

/** The cookies of a request; those that cannot be read are left out. */
export const cookiesOf = (request: Request): Partial<Record<string, string>> =>
  parseCookie(decodeText(request.headers.cookie ?? ''));

/** All values of a cookie, in the order that they were sent: a browser may have one for each domain and path. */
export const cookieValues = (request: Request, name: string): string[] =>
  decodeText(request.headers.cookie ?? '')
    .split(';')
    .flatMap((pair) => parseCookie(pair)[name] ?? []);

// may be ours, and then depends on what the visitor allows: see fbp-cookie.ts
const pixelCookieNames = cookieParameterNames.filter((name) => name !== '_fbp');

// of several values of one name the first that says something stands
const marksOf = (request: Request): ClickParameters => {
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

/** Reads the click from a request for a landing page. Nothing that a browser may send makes it throw. */
export const readClick = (request: Request): Click => {
  const header = (name: string) => capturedText(decodeText(request.get(name) ?? ''));
  return {
    clickParameters: marksOf(request),
    ipAddress: capturedText(request.ip?.replace(ipv4InIpv6, '')),
    userAgent: header('user-agent'),
    acceptLanguage: header('accept-language'),
    referrer: header('referer'),
    landingUrl: capturedText(`${request.protocol}://${request.host ?? ''}${request.originalUrl}`),
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
};
