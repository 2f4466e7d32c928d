import { type ClickIdName, type ClickParameters, clickIdsByPlatform } from '@leadback/domain';
import { stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import { cookiesOf } from './click.ts';
import type { Exchange } from './exchange.ts';

/** The last click that a visitor made at one platform. */
export interface PlatformClick {
  readonly platform: string;
  readonly clickedAtMs: number;
  readonly ids: readonly (readonly [name: ClickIdName, id: string])[];
}

const cookieName = 'click';
const daysKept = 90;
const dayMs = 86_400_000;
// browsers drop what is larger than 4 KiB
const lengthMax = 3_500;

const timeSchema = z.coerce.number().int().positive();

/** By platform, the click ids that `read` finds; platforms without any are left out. */
const clickIdsIn = (read: (name: ClickIdName) => string | null | undefined) =>
  Object.entries(clickIdsByPlatform).flatMap(([platform, names]) => {
    const ids = names.flatMap((name) => {
      const id = read(name);
      return id ? [[name, id] as const] : [];
    });
    return ids.length > 0 ? [{ platform, ids }] : [];
  });

/** The last click at each platform that an earlier visit to the page came by, for 90 days each. */
export const loadClicks = (request: Request, nowMs = Date.now()): PlatformClick[] => {
  const kept = new URLSearchParams(Buffer.from(cookiesOf(request)[cookieName] ?? '', 'base64url').toString());
  return clickIdsIn((name) => capturedText(kept.get(name))).flatMap(({ platform, ids }) => {
    // `at`: of all platforms, in cookies that were set before each had a time of its own
    const { data: clickedAtMs } = timeSchema.safeParse(kept.get(platform) ?? kept.get('at'));
    if (clickedAtMs === undefined) return [];
    const ageMs = nowMs - clickedAtMs;
    return ageMs < 0 || ageMs > daysKept * dayMs ? [] : [{ platform, clickedAtMs, ids }];
  });
};

/** The clicks that still count after a visit that came by the click with these marks: those at other platforms. */
export const clicksElsewhere = (clicks: readonly PlatformClick[], marks: ClickParameters): PlatformClick[] => {
  const platforms = clickIdsIn((name) => marks[name]).map(({ platform }) => platform);
  return clicks.filter(({ platform }) => !platforms.includes(platform));
};

// For this page alone: the clicks of one advertiser are nobody else's business.
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

/** Makes the browser delete the clicks that it keeps. */
export const deleteClicks = (exchange: Exchange): void => {
  if (cookiesOf(exchange.request)[cookieName] !== undefined) set(exchange, '', 0);
};

// The version before takes `at` as the time of all clicks, and reads no cookie without it.
const encoded = (clicks: readonly PlatformClick[]): string => {
  const latestMs = Math.max(...clicks.map(({ clickedAtMs }) => clickedAtMs));
  const pairs = [
    ['at', String(latestMs)] as const,
    ...clicks.flatMap(({ platform, clickedAtMs, ids }) => [[platform, String(clickedAtMs)] as const, ...ids]),
  ];
  return Buffer.from(new URLSearchParams(Object.fromEntries(pairs)).toString()).toString('base64url');
};

/** Makes the browser keep the click ids of this visit, and those of `elsewhere` as far as there is room: the latest first. */
export const storeClicks = (exchange: Exchange, marks: ClickParameters, elsewhere: readonly PlatformClick[]): void => {
  const clicked = clickIdsIn((name) => marks[name]).map((click) => ({ ...click, clickedAtMs: Date.now() }));
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
