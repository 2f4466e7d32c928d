import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ConsoleRefusal } from '../console-refusal.ts';
import { csrfHeader } from '../contract/session.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** What a page of another site cannot know: it follows from the session, or from there being none. */
export const csrfTokenOf = (sessionToken: string | undefined): string =>
  createHmac('sha256', sessionToken ?? 'signed out')
    .update('csrf')
    .digest('base64url');

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Refuses what could change something unless it comes from a page of the console: by its exact origin and its token. */
export const sameOrigin =
  (consoleOrigin: string): RequestHandler =>
  (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const { origin, [csrfHeader]: sent } = request.headers;
    const isOwn = origin === consoleOrigin && typeof sent === 'string';
    if (!isOwn || !isSame(sent, csrfTokenOf(sessionTokenOf(request)))) throw new ConsoleRefusal('cross-site');
    next();
  };
