import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { formFields } from '@leadback/server/http';
import { parseCookie } from 'cookie';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { ConsoleRefusal } from '../console-refusal.ts';
import { previewFields } from '../contract/pages.ts';
import { csrfHeader } from '../contract/session.ts';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * The prefix of the names: browsers accept such a cookie from this host alone, over TLS, for all paths. Without `maxAge`, in
 * seconds, it has no expiry date: the server ends what it is for, and the browser when it is closed.
 */
const cookie = (
  name: `__Host-${string}`,
  { shape = tokenShape, maxAge }: { shape?: RegExp; maxAge?: number } = {},
) => ({
  /** Undefined without a well-formed value. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const { [name]: value } = parseCookie(headers.cookie ?? '');
    return value !== undefined && shape.test(value) ? value : undefined;
  },
  set(response: Response, value: string): void {
    const lifetime = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
    response.append('Set-Cookie', `${name}=${value}; ${attributes}${lifetime}`);
  },
  clear(response: Response): void {
    response.append('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
  },
});

/** The token of a session. */
export const sessionCookie = cookie('__Host-leadback');

/** Which browser has begun to sign in with the identity provider. */
export const attemptCookie = cookie('__Host-leadback-attempt');

/** Who has signed in in this browser, for half a year after the last time. It opens nothing: it only sets limits apart. */
export const knownBrowserCookie = cookie('__Host-leadback-browser', {
  shape: /^[0-9A-Za-z-]{68}$/,
  maxAge: 180 * 24 * 3600,
});

/** What a page of another site cannot know: it follows from the session, or from there being none. */
export const csrfTokenOf = (sessionToken: string | undefined): string =>
  createHmac('sha256', sessionToken ?? 'signed out')
    .update('csrf')
    .digest('base64url');

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const formBytesMax = 128 * 1024;
const formSchema = z.object({ [previewFields.csrf]: z.string() });

// a form of a page cannot set a header
const tokenInForm = async (request: Request): Promise<string | undefined> => {
  request.body = await formFields(request, formBytesMax).catch(() => undefined);
  return formSchema.safeParse(request.body).data?.csrf;
};

/** Refuses what could change something unless it comes from a page of the console: by its exact origin and its token. */
export const sameOrigin =
  (consoleOrigin: string): RequestHandler =>
  async (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const { origin, [csrfHeader]: inHeader } = request.headers;
    if (origin !== consoleOrigin) throw new ConsoleRefusal('cross-site');
    const sent = typeof inHeader === 'string' ? inHeader : await tokenInForm(request);
    if (sent === undefined || !isSame(sent, csrfTokenOf(sessionCookie.read(request)))) {
      throw new ConsoleRefusal('cross-site');
    }
    next();
  };

const browsers = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

type Known = readonly (readonly [RegExp, string])[];
const nameIn = (known: Known, userAgent: string) => known.find(([shape]) => shape.test(userAgent))?.[1];

/** The browser and its system, such as `Firefox · Windows`, as a person names them. Undefined: neither is known. */
export const deviceOf = (userAgent = ''): string | undefined =>
  [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter((name) => name !== undefined).join(' · ') ||
  undefined;
