import type { LandingPage } from '@leadback/db';
import { type ClickMarks, clickIdNames } from '@leadback/domain';
import { stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { capturedText } from './captured-text.ts';
import { cookiesOf } from './click.ts';

/** A click of an earlier visit. */
export interface RememberedClick {
  readonly clickMarks: ClickMarks;
  /** ISO 8601 */
  readonly clickedAt: string;
}

/** A request for a page, and the answer to it. */
export interface Exchange {
  readonly page: LandingPage;
  readonly request: Request;
  readonly response: Response;
}

const cookieName = 'click';
const daysKept = 90;
const dayMs = 86_400_000;
// browsers drop what is larger than 4 KiB
const lengthMax = 3_500;

const timeSchema = z.coerce.number().int().positive();

const clickIdsOf = (marks: ClickMarks): ClickMarks =>
  Object.fromEntries(clickIdNames.flatMap((name) => (marks[name] === undefined ? [] : [[name, marks[name]]])));

/** Whether the address itself tells of a click: then an earlier one no longer counts. */
export const hasClickId = (marks: ClickMarks): boolean => clickIdNames.some((name) => marks[name] !== undefined);

/** The click that an earlier visit to the page came by, where its browser kept it and not for longer than 90 days. */
export const recallClick = (request: Request, nowMs = Date.now()): RememberedClick | undefined => {
  const kept = new URLSearchParams(Buffer.from(cookiesOf(request)[cookieName] ?? '', 'base64url').toString());
  const { data: clickedAtMs } = timeSchema.safeParse(kept.get('at'));
  const ids = clickIdNames.map((name) => [name, capturedText(kept.get(name))] as const);
  const clickMarks: ClickMarks = Object.fromEntries(ids.filter(([, id]) => id !== null));
  if (clickedAtMs === undefined || !hasClickId(clickMarks)) return undefined;
  const ageMs = nowMs - clickedAtMs;
  return ageMs < 0 || ageMs > daysKept * dayMs
    ? undefined
    : { clickMarks, clickedAt: new Date(clickedAtMs).toISOString() };
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

/** Has the browser keep the click ids of this visit for 90 days. */
export const rememberClick = (exchange: Exchange, marks: ClickMarks): void => {
  if (!hasClickId(marks)) return;
  const kept = new URLSearchParams({ at: String(Date.now()), ...clickIdsOf(marks) }).toString();
  const value = Buffer.from(kept).toString('base64url');
  if (value.length <= lengthMax) set(exchange, value, (daysKept * dayMs) / 1000);
};

/** Has the browser forget what it keeps. */
export const forgetClick = (exchange: Exchange): void => {
  if (cookiesOf(exchange.request)[cookieName] !== undefined) set(exchange, '', 0);
};
