import { type ClickIdName, type ClickParameters, clickIdsByPlatform } from '@leadback/domain';
import { stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import { cookiesOf } from './click.ts';
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
// browsers drop cookies larger than 4 KiB
const lengthMax = 3_500;

const timeSchema = z.coerce.number().int().positive();

/** The click ids that `read` finds, by platform. Platforms without a click id are left out. */
const clickIdsIn = (read: (name: ClickIdName) => string | null | undefined) =>
  Object.entries(clickIdsByPlatform).flatMap(([platform, names]) => {
    const ids = names.flatMap((name) => {
      const id = read(name);
      return id ? [[name, id] as const] : [];
    });
    return ids.length > 0 ? [{ platform, ids }] : [];
  });

/** The last click on each platform from earlier visits to the page, for 90 days each. */
export const loadClicks = (request: Request, nowMs = Date.now()): PlatformClick[] => {
  const kept = new URLSearchParams(Buffer.from(cookiesOf(request)[cookieName] ?? '', 'base64url').toString());
  return clickIdsIn((name) => capturedText(kept.get(name))).flatMap(({ platform, ids }) => {
    // `at`: the time of all clicks, in cookies from versions without a time per platform
    const { data: clickedAtMs } = timeSchema.safeParse(kept.get(platform) ?? kept.get('at'));
    if (clickedAtMs === undefined) return [];
    const ageMs = nowMs - clickedAtMs;
    return ageMs < 0 || ageMs > daysKept * dayMs ? [] : [{ platform, clickedAtMs, ids }];
  });
};

/** The clicks on platforms other than that of the current click. */
export const clicksElsewhere = (
  clicks: readonly PlatformClick[],
  clickParameters: ClickParameters,
): PlatformClick[] => {
  const platforms = clickIdsIn((name) => clickParameters[name]).map(({ platform }) => platform);
  return clicks.filter(({ platform }) => !platforms.includes(platform));
};

// The cookie is limited to this page: other advertisers must not see these clicks.
const set = ({ page, request, response }: Exchange, value: string, maxAge: number): void => {
  const cookie = {
    name: cookieName,
    value,
    maxAge,
    path: `/${page.slug}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
  } as const;
  response.append('Set-Cookie', stringifySetCookie(cookie));
};

export const deleteClicks = (exchange: Exchange): void => {
  if (cookiesOf(exchange.request)[cookieName] !== undefined) set(exchange, '', 0);
};

// The previous version reads `at` as the time of all clicks, and ignores cookies without it.
const encoded = (clicks: readonly PlatformClick[]): string => {
  const latestMs = Math.max(...clicks.map(({ clickedAtMs }) => clickedAtMs));
  const pairs = [
    ['at', String(latestMs)] as const,
    ...clicks.flatMap(({ platform, clickedAtMs, ids }) => [[platform, String(clickedAtMs)] as const, ...ids]),
  ];
  return Buffer.from(new URLSearchParams(Object.fromEntries(pairs)).toString()).toString('base64url');
};

/**
 * Stores the click ids of this visit and the clicks of `elsewhere` in a cookie, the latest first, as far as they fit.
 */
export const storeClicks = (
  exchange: Exchange,
  clickParameters: ClickParameters,
  elsewhere: readonly PlatformClick[],
): void => {
  const clicked = clickIdsIn((name) => clickParameters[name]).map((click) => ({ ...click, clickedAtMs: Date.now() }));
  if (clicked.length === 0) return;
  const latestFirst = [...clicked, ...elsewhere].toSorted((one, other) => other.clickedAtMs - one.clickedAtMs);
  let value = '';
  const kept: PlatformClick[] = [];
  for (const click of latestFirst) {
    const longer = encoded([...kept, click]);
    if (longer.length > lengthMax) continue;
    kept.push(click);
    value = longer;
  }
  if (value === '') deleteClicks(exchange);
  else set(exchange, value, (daysKept * dayMs) / 1000);
};
