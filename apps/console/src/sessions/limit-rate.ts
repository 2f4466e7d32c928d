import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Refusal } from '@leadback/domain';
import { networkOf, tokenBuckets, trustCaller } from '@leadback/server/http';
import { endGuessingSession, type Session } from '@leadback/core/people/sessions';
import type { Pool } from '@leadback/db';
import { type Keys, type KnownBrowser, readKnownBrowser, writeKnownBrowser } from '@leadback/domain/keys';
import type { Request, RequestHandler, Response } from 'express';
import { ConsoleRefusal } from '../console-refusal.ts';
import { knownBrowserCookie, sessionCookie } from './browser.ts';
import { type PasswordQueue, passwordQueue } from './password-queue.ts';

const namesMax = 10_000;
const everyRequest = { perSecond: 20, burst: 200 };
// wrong passwords, codes, passkeys and links
const wrongOfStrangers = { perSecond: 0.1, burst: 20 };
// an end for who has stolen a session, or the mark of a browser
const wrongOfKnown = { perSecond: 20 / 3600, burst: 20 };
// passwords that are checked although nobody is told that they are wrong: so that the right one passes
const checksBeyond = { perSecond: 1, burst: 5 };
// each stores up to 512 KiB
const uploads = { perSecond: 0.05, burst: 40 };

type Size = Parameters<ReturnType<typeof tokenBuckets>>[1];

const waitSeconds = ({ perSecond }: Size): number => Math.ceil(1 / perSecond);

const limiter = (size: Size) => {
  const bucketOf = tokenBuckets(namesMax);
  return {
    hasRoom: (name: string): boolean => {
      const bucket = bucketOf(name, size);
      bucket.drip();
      return bucket.content >= 1;
    },
    tryTake: (name: string): boolean => bucketOf(name, size).tryRemoveTokens(1),
    giveBack: (name: string): void => {
      const bucket = bucketOf(name, size);
      bucket.content = Math.min(size.burst, bucket.content + 1);
    },
    /** Takes a token, or refuses the request. The wait is that of an empty bucket: the same for all that are refused. */
    take: (response: Response, name: string): void => {
      if (!bucketOf(name, size).tryRemoveTokens(1)) refuse(response, waitSeconds(size));
    },
  };
};

const refuse = (response: Response, seconds: number): never => {
  response.set('Retry-After', String(seconds));
  throw new Refusal('rate-limited', { message: `too many requests; try again in ${seconds} s` });
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
export const markBrowser = (keys: Keys, response: Response, email: string): void => {
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
  /** Whose password it is. In a session or a browser of this person, strangers' attempts do not count. */
  readonly email?: string;
  readonly run: () => Promise<Result>;
  readonly isWrong: (result: Result) => boolean;
}

const isExpensive = ({ kind }: Pick<Attempt<unknown>, 'kind'>): boolean => kind === 'sign-in' || kind === 'password';

const quarterMs = 250;

/** Waits until a whole number of quarters of a second has passed, so that a reply does not tell by its time what was checked. */
const untilQuarter = async (startMs: number): Promise<void> => {
  const elapsedMs = performance.now() - startMs;
  await setTimeout(Math.ceil(elapsedMs / quarterMs) * quarterMs - elapsedMs);
};

/**
 * Makes an attempt with a secret. What is wrong counts for whom it can come from: the session or the browser if the person has
 * signed in there, else the network and the subject of the attempt. Beyond the limit, all that is wrong gets the same refusal.
 *
 * Strangers shut nobody out: from a network with few wrong passwords of late, the right one with the right code passes,
 * however many wrong ones others sent. They learn nothing beyond the limit: of a right password with a wrong code, neither the
 * refusal nor its time differs from that of a wrong password. Known browsers become strangers beyond their limit, and sessions
 * end there.
 */
export const attempts = (keys: Keys, endGuessing: (session: Session) => Promise<void>) => {
  const ofKnown = limiter(wrongOfKnown);
  const ofStrangers = limiter(wrongOfStrangers);
  const beyond = limiter(checksBeyond);
  const passwords: PasswordQueue = passwordQueue();

  const asKnown = async <Result>(name: string, response: Response, attempt: Attempt<Result>): Promise<Result> => {
    // taken before, so that many at the same time are no more
    let isWrong = false;
    try {
      const result = await (isExpensive(attempt)
        ? passwords.run('known', attempt.run, () => refuse(response, 1))
        : attempt.run());
      isWrong = attempt.isWrong(result);
      return result;
    } finally {
      if (!isWrong) ofKnown.giveBack(name);
    }
  };

  /**
   * Checks a password of a stranger, of which few are checked for an email beyond its limit: one share for each network that
   * has room for wrong ones, and one for all others, whose passwords wait for those of networks with room.
   */
  const checkPassword = async <Result>(
    response: Response,
    { network, subject, hasRoom }: { readonly network: string; readonly subject: string; readonly hasRoom: boolean },
    attempt: Attempt<Result>,
  ): Promise<Result> => {
    const isBeyond = !hasRoom || !ofStrangers.hasRoom(subject);
    const refuseLater = () => refuse(response, isBeyond ? waitSeconds(wrongOfStrangers) : 1);
    if (isBeyond && !beyond.tryTake(hasRoom ? `${network} ${subject}` : subject)) refuseLater();
    let startMs = 0;
    const check = () => {
      startMs = performance.now();
      return attempt.run();
    };
    const result = await passwords.run(hasRoom ? 'usual' : 'beyond', check, refuseLater);
    if (attempt.isWrong(result)) await untilQuarter(startMs);
    return result;
  };

  const asStranger = async <Result>(response: Response, attempt: Attempt<Result>): Promise<Result> => {
    const network = `${attempt.kind} ${networkIn(response.req)}`;
    const subject = attempt.subject === undefined ? undefined : `${attempt.kind} ${attempt.subject}`;
    const hasRoom = ofStrangers.tryTake(network);
    let isWrong = false;
    try {
      const result = await (isExpensive(attempt)
        ? checkPassword(response, { network, subject: subject ?? network, hasRoom }, attempt)
        : attempt.run());
      isWrong = attempt.isWrong(result);
      if (isWrong && !hasRoom) refuse(response, waitSeconds(wrongOfStrangers));
      if (isWrong && subject !== undefined) ofStrangers.take(response, subject);
      return result;
    } finally {
      if (hasRoom && !isWrong) ofStrangers.giveBack(network);
    }
  };

  return async <Result>(response: Response, attempt: Attempt<Result>): Promise<Result> => {
    const { kind, email } = attempt;
    const { session } = response.req;
    if (session && (email === undefined || email === session.person.email)) {
      const name = `${kind} session ${session.id}`;
      if (ofKnown.tryTake(name)) return asKnown(name, response, attempt);
      await endGuessing(session);
      sessionCookie.clear(response);
      throw new ConsoleRefusal('signed-out');
    }
    const browser = knownBrowserOf(keys, response.req);
    const name =
      browser && (email === undefined || browser.isOf(email)) ? `${kind} browser ${browser.name}` : undefined;
    if (name !== undefined && ofKnown.tryTake(name)) return asKnown(name, response, attempt);
    return asStranger(response, attempt);
  };
};

/** What each instance counts of what it is asked. */
export const limits = (pool: Pool, keys: Keys) => ({
  requests: limitRequests(keys),
  attempt: attempts(keys, (session) => endGuessingSession(pool, session)),
  /** Images that a person uploads. */
  upload: limiter(uploads).take,
});

export type Limits = ReturnType<typeof limits>;
