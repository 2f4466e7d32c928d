import { randomUUID } from 'node:crypto';
import { givenServer } from '@leadback/testing';
import express, { type RequestHandler } from 'express';
import { csrfHeader, type Role } from '../../apps/console/src/contract/session.ts';
import { securityHeaders } from '../../apps/console/src/security-headers.ts';
import { readWebFiles, webRouter } from '../../apps/console/src/web/web.ts';
import { accountDouble } from './account-double.ts';
import { administrationDouble, keysDouble } from './administration-double.ts';
import { builtWeb } from './built-web.ts';
import { filesDouble } from './data-double.ts';
import { csrf, type DoubleState, refuse, securityDouble, sessionDouble } from './session-double.ts';
import { pagesDouble } from './setup-double.ts';

interface Sent {
  readonly path: string;
  readonly body: unknown;
}

export interface ConsoleDouble extends AsyncDisposable {
  readonly url: string;
  /** The POST requests, in order. */
  readonly posts: readonly Sent[];
  signIn(role?: Role): void;
  /** The session ends, without the browser knowing. */
  endSession(): void;
  /** Requests of a path fail from now on. */
  fail(path: RegExp, status: number): void;
  repair(): void;
  /** As it was at first. */
  reset(): void;
}

const untouched: DoubleState = { person: undefined, failure: undefined, retried: undefined };

/** What the console's server does before its endpoints. */
const guarded =
  (state: DoubleState, posts: Sent[]): RequestHandler =>
  (request, response, next) => {
    if (request.method === 'POST') {
      // a form has the token in a field
      const { csrf: inForm } = Object(request.body);
      if ((request.get(csrfHeader) ?? inForm) !== csrf)
        return refuse(response, 403, 'cross-site', 'not from this page');
      const body: unknown = request.body;
      posts.push({ path: request.path, body });
    }
    if (state.failure?.path.test(request.path)) {
      response.set('x-request-id', randomUUID());
      return refuse(response, state.failure.status, 'internal', 'internal error');
    }
    const isOpen = /^\/(session|invitation)/.test(request.path);
    return isOpen || state.person ? next() : refuse(response, 401, 'signed-out', 'signed out');
  };

/**
 * A server of the console's web application: its files and headers are the real ones, its replies are invented. Their
 * types are those of the contracts.
 */
export const givenConsoleDouble = async (): Promise<ConsoleDouble> => {
  const files = readWebFiles(await builtWeb());
  const posts: Sent[] = [];
  const state: DoubleState = { ...untouched };
  const api = express.Router();
  api.use(express.json(), express.urlencoded({ extended: false }), guarded(state, posts), sessionDouble(state));
  api.use('/security', securityDouble());
  api.use('/accounts', accountDouble(state), keysDouble(), filesDouble(), pagesDouble());
  api.use(administrationDouble());
  const server = await givenServer(express().use(securityHeaders).use('/api', api).use(webRouter(files)));
  return {
    // a name: browsers have no passkeys for IP addresses
    url: server.url.replace('127.0.0.1', 'localhost'),
    posts,
    signIn: (role = 'operator') => {
      state.person = { role };
    },
    endSession: () => {
      state.person = undefined;
    },
    fail: (path, status) => {
      state.failure = { path, status };
    },
    repair: () => {
      state.failure = undefined;
    },
    reset: () => {
      Object.assign(state, untouched);
      posts.length = 0;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
