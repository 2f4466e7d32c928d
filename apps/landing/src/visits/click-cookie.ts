import { type ClickIdName, type ClickParameters, clickIdsByPlatform } from '@leadback/domain';
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
