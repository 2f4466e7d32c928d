import type { NewLead } from '@leadback/db';
import { type ClickMarks, cookieMarkNames, queryMarkNames } from '@leadback/domain';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { capturedText } from './captured-text.ts';

/** What a request tells of the click that led to it. */
export type Click = Pick<
  NewLead,
  'clickMarks' | 'ipAddress' | 'userAgent' | 'acceptLanguage' | 'referrer' | 'landingUrl'
>;

const marksOf = (query: URLSearchParams, cookies: Partial<Record<string, string>>): ClickMarks => {
  const seen = [
    ...queryMarkNames.map((name) => [name, capturedText(query.get(name))] as const),
    ...cookieMarkNames.map((name) => [name, capturedText(cookies[name])] as const),
  ];
  return Object.fromEntries(seen.filter(([, value]) => value !== null));
};

const ipv4InIpv6 = /^::ffff:(?=\d+\.)/i;

/** Reads the click from a request for a landing page. Nothing that a browser may send makes it throw. */
export const readClick = (request: Request): Click => {
  const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
  return {
    clickMarks: marksOf(new URLSearchParams(query), parseCookie(request.get('cookie') ?? '')),
    ipAddress: capturedText(request.ip?.replace(ipv4InIpv6, '')),
    userAgent: capturedText(request.get('user-agent')),
    acceptLanguage: capturedText(request.get('accept-language')),
    referrer: capturedText(request.get('referer')),
    landingUrl: capturedText(`${request.protocol}://${request.get('host') ?? ''}${request.originalUrl}`),
  };
};
