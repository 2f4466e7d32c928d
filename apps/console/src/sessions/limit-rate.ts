import type { IncomingMessage } from 'node:http';
import { Refusal } from '@leadback/domain';
import { networkOf, tokenBuckets, trustCaller } from '@leadback/http';
import { type Keys, type KnownBrowser, readKnownBrowser, writeKnownBrowser } from '@leadback/secrets';
import type { Request, RequestHandler, Response } from 'express';
import { knownBrowserCookie } from './session-cookie.ts';
import { type PasswordQueue, passwordQueue } from './password-queue.ts';

const namesMax = 10_000;
const everyRequest = { perSecond: 20, burst: 200 };
// wrong passwords, codes, passkeys and links
const wrongAttempts = { perSecond: 0.1, burst: 20 };
// each stores up to 512 KiB
const uploads = { perSecond: 0.05, burst: 40 };

type Size = Parameters<ReturnType<typeof tokenBuckets>>[1];

const limiter = (size: Size) => {
  const bucketOf = tokenBuckets(namesMax);
  return {
    hasRoom: (name: string): boolean => {
      const bucket = bucketOf(name, size);
      bucket.drip();
      return bucket.content >= 1;
    },
    /** Takes a token, or refuses the request and says how long to wait. */
    take: (response: Response, name: string): void => {
      const bucket = bucketOf(name, size);
      if (!bucket.tryRemoveTokens(1)) refuse(response, Math.ceil(bucket.getWaitTime(1) / 1000));
    },
  };
};

const refuse = (response: Response, waitSeconds: number): never => {
  response.set('Retry-After', String(waitSeconds));
  throw new Refusal('rate-limited', { message: `too many requests; try again in ${waitSeconds} s` });
};

const networkIn = ({ ip }: Request) => `network ${networkOf(ip ?? '')}`;

/** The browser of a request, if somebody has signed in there before. */
const knownBrowserOf = (keys: Keys, request: Pick<IncomingMessage, 'headers'>): KnownBrowser | undefined => {
  const cookie = knownBrowserCookie.read(request);
  return cookie === undefined ? undefined : readKnownBrowser(keys, cookie);
};

/**
 * Names who has sent a request that waits for its turn, if somebody has signed in in the browser before. Without the database,
 * and on every instance: so who is signed in has turns of their own.
 */
export const browserCaller =
  (keys: Keys) =>
  (request: Pick<IncomingMessage, 'headers'>): string | undefined => {
    const browser = knownBrowserOf(keys, request);
    return browser && `person ${browser.person}`;
  };

/** Marks a browser as one in which the person with an email has signed in, unless it is marked so already. */
export const browserMarker =
  (keys: Keys) =>
  (response: Response, email: string): void => {
    const cookie = knownBrowserCookie.read(response.req) ?? '';
    const isMarked = readKnownBrowser(keys, cookie)?.isOf(email) === true;
    // also to begin its half a year again
    knownBrowserCookie.set(response, isMarked ? cookie : writeKnownBrowser(keys, email));
  };

/**
 * Limits the requests of a person who is signed in, and what others may change: by their browser if it is known, so that a
 * stranger of the same network shuts nobody out, else by their network. For handlers behind `findSession`.
 */
export const limitRequests = (keys: Keys): RequestHandler => {
  const { take } = limiter(everyRequest);
  return (request, response, next) => {
    const { session, method } = request;
    if (session) {
      const person = `person ${session.person.id}`;
      take(response, person);
      trustCaller(request, person);
    } else if (method !== 'GET' && method !== 'HEAD') {
      const browser = knownBrowserOf(keys, request);
      take(response, browser ? `browser ${browser.name}` : networkIn(request));
    }
    next();
  };
};

/** What is tried, each with limits of its own. */
type AttemptKind = 'sign-in' | 'code' | 'password' | 'passkey' | 'link' | 'provider';

export interface Attempt<Result> {
  readonly kind: AttemptKind;
  /** Whom or what it is meant for, if that is known before it is tried. */
  readonly subject?: string;
  /** Whose password or code it is. In a browser that this person has used, strangers' attempts do not count. */
  readonly email?: string;
  readonly run: () => Promise<Result>;
  readonly isWrong: (result: Result) => boolean;
}

/**
 * Makes an attempt with a secret. What is right passes, however many wrong attempts others made before; a wrong one counts,
 * for the network and the subject of the attempt, and is refused as too many once they have no more. So nobody learns from
 * the response whether a further password was right, and nobody shuts another person out.
 */
export const attempts = (keys: Keys) => {
  const wrong = limiter(wrongAttempts);
  const passwords: PasswordQueue = passwordQueue();

  const namesOf = (request: Request, { kind, subject, email }: Omit<Attempt<unknown>, 'run' | 'isWrong'>) => {
    const { session } = request;
    if (session) return [`${kind} person ${session.person.id}`];
    const browser = knownBrowserOf(keys, request);
    if (browser && (email === undefined || browser.isOf(email))) return [`${kind} browser ${browser.name}`];
    return [`${kind} ${networkIn(request)}`, ...(subject === undefined ? [] : [`${kind} ${subject}`])];
  };

  return async <Result>(response: Response, attempt: Attempt<Result>): Promise<Result> => {
    const { kind, run, isWrong } = attempt;
    const names = namesOf(response.req, attempt);
    const isExpensive = kind === 'sign-in' || kind === 'password';
    const importance = names.length === 1 ? 'known' : names.every(wrong.hasRoom) ? 'usual' : 'beyond';
    const result = isExpensive ? await passwords.run(importance, run, () => refuse(response, 1)) : await run();
    if (isWrong(result)) for (const name of names) wrong.take(response, name);
    return result;
  };
};

/** Limits the images that a person uploads. */
export const uploadsLimiter = (): ((response: Response, name: string) => void) => limiter(uploads).take;
