import { randomInt } from 'node:crypto';
import { type ClickIdName, type ClickParameters, clickIdsByPlatform, fbpShape } from '@leadback/domain';
import { stringifySetCookie } from 'cookie';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import type { Exchange } from './exchange.ts';

/** The last click of a visitor on one platform. */
export interface PlatformClick {
  readonly platform: string;
  readonly clickedAtMs: number;
  readonly ids: readonly (readonly [name: ClickIdName, id: string])[];
}

const cookieName = 'click';
const daysKept = 90;
const dayMs = 86_400_000;
// 3,500 characters in base64: browsers drop cookies larger than 4 KiB
const bytesMax = 2_625;

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

/** The last click on each platform from earlier visits to the page, for 90 days each. */
export const loadClicks = ({ cookies, atMs }: Pick<Exchange, 'cookies' | 'atMs'>): PlatformClick[] => {
  const [sent] = cookies.get(cookieName) ?? [];
  if (sent === undefined) return [];
  const kept = new URLSearchParams(Buffer.from(sent, 'base64url').toString());
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

// The cookie is limited to this page: other advertisers must not see these clicks.
const set = ({ page, protocol, response }: Exchange, value: string, maxAge: number): void => {
  const cookie = {
    name: cookieName,
    value,
    maxAge,
    path: `/${page.slug}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https',
  } as const;
  response.appendHeader('Set-Cookie', stringifySetCookie(cookie));
};

export const deleteClicks = (exchange: Exchange): void => {
  if (exchange.cookies.has(cookieName)) set(exchange, '', 0);
};

const fieldsOf = ({ platform, clickedAtMs, ids }: PlatformClick): string =>
  ids.reduce((text, [name, id]) => `${text}&${name}=${encodeURIComponent(id)}`, `${platform}=${clickedAtMs}`);

/**
 * Stores the click ids of this visit and the clicks of `elsewhere` in a cookie, the latest first, as far as they fit.
 */
export const storeClicks = (
  exchange: Exchange,
  clickParameters: ClickParameters,
  elsewhere: readonly PlatformClick[],
): void => {
  const clicked = clickIdsIn((name) => clickParameters[name]).map((click) => ({
    ...click,
    clickedAtMs: exchange.atMs,
  }));
  if (clicked.length === 0) return;
  const latestFirst = [...clicked, ...elsewhere].toSorted((one, other) => other.clickedAtMs - one.clickedAtMs);
  let text = '';
  for (const click of latestFirst) {
    const longer = text === '' ? fieldsOf(click) : `${text}&${fieldsOf(click)}`;
    if (longer.length <= bytesMax) text = longer;
  }
  if (text === '') deleteClicks(exchange);
  else set(exchange, Buffer.from(text).toString('base64url'), (daysKept * dayMs) / 1000);
};

const fbpCookieName = '_fbp';
const maxAgeSeconds = 90 * 86_400;

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

const setFbp = ({ protocol, response }: Exchange, value: string, maxAge: number): void => {
  const cookie = {
    name: fbpCookieName,
    value,
    maxAge,
    path: '/',
    // Meta's pixel reads it
    httpOnly: false,
    sameSite: 'lax',
    secure: protocol === 'https',
  } as const;
  response.appendHeader('Set-Cookie', stringifySetCookie(cookie));
};

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
