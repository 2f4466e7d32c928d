import { randomInt } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import {
  capturedText,
  type ClickIdName,
  type ClickParameters,
  clickIdsByPlatform,
  decodeText,
  fbpShape,
  type NewLead,
  type ReadClickParameters,
} from '@leadback/domain';
import {
  type Keys,
  type OwnLead,
  readOwnLead,
  readRememberedClicks,
  writeRememberedClicks,
} from '@leadback/domain/keys';
import { referenceCookie, siteOf } from '@leadback/core/leads/reference-cookie';
import { z } from 'zod';
import type { ServedPage, BuiltPage } from '../pages/served-page.ts';

/** All values of each cookie in the order sent: a browser may have one per domain and path. */
type Cookies = ReadonlyMap<string, readonly string[]>;

const none: Cookies = new Map();

export const readCookies = (header: string | undefined): Cookies => {
  if (header === undefined) return none;
  const pairs = decodeText(header)
    .split(';')
    .flatMap((pair) => Object.entries(parseCookie(pair)));
  const cookies = new Map<string, string[]>();
  for (const [name, value = ''] of pairs) {
    const values = cookies.get(name);
    if (values) values.push(value);
    else cookies.set(name, [value]);
  }
  return cookies;
};

/** A request for a landing page, with what several functions read of it: Express computes it again at each use. */
export interface Exchange {
  readonly built: BuiltPage;
  readonly page: ServedPage;
  readonly request: Request;
  readonly response: Response;
  readonly cookies: Cookies;
  /** Of the visitor's connection, to this app or to the proxy. */
  readonly protocol: string;
  /** When the request arrived, by PostgreSQL's clock, in milliseconds since 1970. */
  readonly atMs: number;
  /** Encrypt the clicks that the browser keeps. */
  readonly clicksKeys: Keys;
}

interface ExchangeContext {
  readonly keys: { readonly clicks: Keys };
  readonly nowMs: () => number;
}

export const exchangeOf = (
  built: BuiltPage,
  request: Request,
  response: Response,
  { keys, nowMs }: ExchangeContext,
): Exchange => ({
  built,
  page: built.page,
  request,
  response,
  cookies: readCookies(request.headers.cookie),
  protocol: request.protocol,
  atMs: nowMs(),
  clicksKeys: keys.clicks,
});

type Connection = Pick<Exchange, 'protocol' | 'response'>;

interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** In seconds; 0 deletes it. */
  readonly maxAge: number;
  readonly path: string;
  /** Whether scripts cannot read it. */
  readonly httpOnly?: boolean;
}

const setCookie = ({ protocol, response }: Connection, { httpOnly = true, ...cookie }: SetCookie): void => {
  const set = { ...cookie, httpOnly, sameSite: 'lax', secure: protocol === 'https' } as const;
  response.appendHeader('Set-Cookie', stringifySetCookie(set));
};

/** The last click of a visitor on one platform. */
export interface PlatformClick {
  readonly platform: string;
  readonly clickedAtMs: number;
  readonly ids: readonly (readonly [name: ClickIdName, id: string])[];
}

const daysKept = 90;
const dayMs = 86_400_000;
const maxAgeSeconds = daysKept * 86_400;
// A browser sends the cookies of all accounts to each page, and node refuses 16 KiB of headers: seven of 1,700 characters, each
// with room for the longest click ids of two platforms and ordinary ones of all.
const bytesMax = 1_200;
const otherAccountsMax = 6;

// The clicks of all pages of an account; those of other accounts have other cookies, and each is encrypted for its account.
const clicksNamePrefix = 'clicks-';
const clicksNameOf = ({ page }: Pick<Exchange, 'page'>): string => clicksNamePrefix + page.accountId.toString(36);

const timeSchema = z.coerce.number().int().positive();
const platforms = Object.entries(clickIdsByPlatform);

/** The click ids that `read` finds, by platform. Platforms without a click id are left out. */
const clickIdsIn = (read: (name: ClickIdName) => string | null | undefined) => {
  const found: Omit<PlatformClick, 'clickedAtMs'>[] = [];
  for (const [platform, names] of platforms) {
    const ids: [ClickIdName, string][] = [];
    for (const name of names) {
      const id = read(name);
      if (id) ids.push([name, id]);
    }
    if (ids.length > 0) found.push({ platform, ids });
  }
  return found;
};

/** The last click on each platform from earlier visits to pages of the account, for 90 days each. */
export const loadClicks = ({ cookies, atMs, page, clicksKeys }: Exchange): PlatformClick[] => {
  const [sent] = cookies.get(clicksNameOf({ page })) ?? [];
  const text = sent === undefined ? undefined : readRememberedClicks(clicksKeys, page.accountId, sent);
  if (text === undefined) return [];
  const kept = new URLSearchParams(text);
  return clickIdsIn((name) => capturedText(kept.get(name))).flatMap(({ platform, ids }) => {
    const { data: clickedAtMs } = timeSchema.safeParse(kept.get(platform));
    if (clickedAtMs === undefined) return [];
    const ageMs = atMs - clickedAtMs;
    return ageMs < 0 || ageMs > daysKept * dayMs ? [] : [{ platform, clickedAtMs, ids }];
  });
};

/** The clicks on platforms other than that of the current click. */
export const clicksElsewhere = (
  clicks: readonly PlatformClick[],
  clickParameters: ClickParameters,
): readonly PlatformClick[] => {
  if (clicks.length === 0) return clicks;
  const current = clickIdsIn((name) => clickParameters[name]).map(({ platform }) => platform);
  return clicks.filter(({ platform }) => !current.includes(platform));
};

const setClicks = (exchange: Exchange, value: string, maxAge: number, name = clicksNameOf(exchange)): void =>
  setCookie(exchange, { name, value, maxAge, path: '/' });

export const deleteClicks = (exchange: Exchange): void => {
  if (exchange.cookies.has(clicksNameOf(exchange))) setClicks(exchange, '', 0);
};

/** Makes room: browsers send the oldest cookies first. */
const deleteOldestOfOthers = (exchange: Exchange): void => {
  const own = clicksNameOf(exchange);
  const others = [...exchange.cookies.keys()].filter((name) => name.startsWith(clicksNamePrefix) && name !== own);
  for (const name of others.slice(0, -otherAccountsMax)) setClicks(exchange, '', 0, name);
};

const fieldsOf = ({ platform, clickedAtMs, ids }: PlatformClick): string =>
  ids.reduce((text, [name, id]) => `${text}&${name}=${encodeURIComponent(id)}`, `${platform}=${clickedAtMs}`);

/**
 * Stores the click ids of this visit and the clicks of `elsewhere` in a cookie, the latest first, as far as they fit.
 */
export const storeClicks = (
  exchange: Exchange,
  { clickParameters, clickedAtMs }: Pick<ReadClickParameters, 'clickParameters' | 'clickedAtMs'>,
  elsewhere: readonly PlatformClick[],
): void => {
  const clicked = clickIdsIn((name) => clickParameters[name]).map((click) => ({
    ...click,
    clickedAtMs: Math.min(exchange.atMs, ...click.ids.map(([name]) => clickedAtMs[name] ?? exchange.atMs)),
  }));
  if (clicked.length === 0) return;
  const latestFirst = [...clicked, ...elsewhere].toSorted((one, other) => other.clickedAtMs - one.clickedAtMs);
  let text = '';
  for (const click of latestFirst) {
    const longer = text === '' ? fieldsOf(click) : `${text}&${fieldsOf(click)}`;
    if (longer.length <= bytesMax) text = longer;
  }
  if (text === '') deleteClicks(exchange);
  else setClicks(exchange, writeRememberedClicks(exchange.clicksKeys, exchange.page.accountId, text), maxAgeSeconds);
  deleteOldestOfOthers(exchange);
};

const fbpCookieName = '_fbp';

// The second part is the subdomain index (Meta: 0 is `com`, 1 `example.com`, 2 `www.example.com`). Leadback sets the
// cookie for the host itself; the pixel, for the shortest domain that accepts cookies. On that domain both are the
// same.
const startOfOurs = ({ request: { hostname } }: Exchange) => `fb.${(hostname ?? '').split('.').length - 1}.`;

interface BrowserIds {
  readonly ours?: string | undefined;
  readonly pixels?: string | undefined;
}

const browserIds = (exchange: Exchange): BrowserIds => {
  const sent = exchange.cookies.get(fbpCookieName);
  if (sent === undefined) return {};
  const start = startOfOurs(exchange);
  const ids = sent.filter((value) => fbpShape.test(value));
  return { ours: ids.find((id) => id.startsWith(start)), pixels: ids.find((id) => !id.startsWith(start)) };
};

// Meta's pixel reads it
const setFbp = (exchange: Exchange, value: string, maxAge: number): void =>
  setCookie(exchange, { name: fbpCookieName, value, maxAge, path: '/', httpOnly: false });

/**
 * The browser id set by the advertiser's own pixel on a parent domain, under the consent that the advertiser asked
 * for.
 */
export const pixelFbp = (exchange: Exchange): string | undefined => browserIds(exchange).pixels;

/**
 * The browser id by which Meta recognizes visitors: that of the advertiser's pixel, so that both report the same id;
 * else Leadback's; else a new one, stored for 90 days, which a pixel on the same host reuses.
 */
export const fbpOf = (exchange: Exchange): string => {
  const { pixels, ours } = browserIds(exchange);
  const known = pixels ?? ours;
  if (known !== undefined) return known;
  const value = `${startOfOurs(exchange)}${exchange.atMs}.${randomInt(1_000_000_000, 10_000_000_000)}`;
  setFbp(exchange, value, maxAgeSeconds);
  return value;
};

/** Deletes the id that Leadback has set. The pixel's id belongs to the advertiser. */
export const deleteFbp = (exchange: Exchange): void => {
  if (browserIds(exchange).ours !== undefined) setFbp(exchange, '', 0);
};

// Browsers send it to the visitor's page alone, so a click cannot read what is stored already. A cookie for each first
// character of a reference keeps at most 62 leads, in about 5 KB: a newer lead replaces one of the same character.
const leadNamePrefix = 'lead-';
const leadNameOf = (reference: string) => leadNamePrefix + reference.charAt(0);

const setLead = (connection: Connection, reference: string, value: string, maxAge: number): void =>
  setCookie(connection, { name: leadNameOf(reference), value, maxAge, path: '/data' });

/**
 * Lets the browser show and erase a lead on the visitor's page for 90 days. It is used for nothing else, so no consent is
 * needed. `written`: see `writeOwnLead`.
 */
export const rememberLead = (exchange: Exchange, reference: string, written: string): void =>
  setLead(exchange, reference, written, maxAgeSeconds);

/**
 * Lets the target page of a domain of the same site read the reference, also after the visitor has gone on there, unless they do not
 * want to be recognized. It is the cookie of `POST /lead` of the API.
 */
export const shareReference = (
  { built: { domain }, page, protocol, atMs, response }: Exchange,
  { reference, consent, globalPrivacyControl }: Pick<NewLead, 'reference' | 'consent' | 'globalPrivacyControl'>,
): void => {
  if (domain === undefined || consent === false || globalPrivacyControl) return;
  const site = siteOf(domain);
  if (site === null || site !== siteOf(new URL(page.targetUrl).hostname)) return;
  const click = { reference, clickedMs: atMs, url: `${protocol}://${domain}/` };
  response.appendHeader('Set-Cookie', referenceCookie(click, atMs));
};

export const forgetLead = (connection: Connection, reference: string): void => setLead(connection, reference, '', 0);

/**
 * The leads that a browser proves to have left. Forged cookies prove nothing, and hide none: another site of the same domain
 * can set some of the same name, for several paths and parent domains, which the browser may send first. The size of headers
 * limits how many.
 */
export const ownLeadsOf = (keys: Keys, cookies: Cookies): OwnLead[] =>
  [...cookies].flatMap(([name, values]) => {
    if (!name.startsWith(leadNamePrefix)) return [];
    return values.flatMap((written) => {
      const lead = readOwnLead(keys, written);
      return lead && name === leadNameOf(lead.reference) ? [lead] : [];
    });
  });
