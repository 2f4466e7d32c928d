import { createHmac, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { ConsoleRefusal } from '../console-refusal.ts';
import { previewFields } from '../contract/pages.ts';
import { csrfHeader } from '../contract/session.ts';
import { sessionCookie } from './session-cookie.ts';

/** What a page of another site cannot know: it follows from the session, or from there being none. */
export const csrfTokenOf = (sessionToken: string | undefined): string =>
  createHmac('sha256', sessionToken ?? 'signed out')
    .update('csrf')
    .digest('base64url');

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const formType = 'application/x-www-form-urlencoded';
const parseForm = express.urlencoded({ extended: false, limit: '128kb' });
const formSchema = z.object({ [previewFields.csrf]: z.string() });

// a form of a page cannot set a header
const tokenInForm = async (request: Request, response: Response): Promise<string | undefined> => {
  if (!request.is(formType)) return undefined;
  const error = await new Promise<unknown>((resolve) => {
    parseForm(request, response, resolve);
  });
  return error === undefined ? formSchema.safeParse(request.body).data?.csrf : undefined;
};

/** Refuses what could change something unless it comes from a page of the console: by its exact origin and its token. */
export const sameOrigin =
  (consoleOrigin: string): RequestHandler =>
  async (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const { origin, [csrfHeader]: inHeader } = request.headers;
    if (origin !== consoleOrigin) throw new ConsoleRefusal('cross-site');
    const sent = typeof inHeader === 'string' ? inHeader : await tokenInForm(request, response);
    if (sent === undefined || !isSame(sent, csrfTokenOf(sessionCookie.read(request)))) {
      throw new ConsoleRefusal('cross-site');
    }
    next();
  };
