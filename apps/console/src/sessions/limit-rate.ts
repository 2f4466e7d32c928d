import { Refusal } from '@leadback/domain';
import { networkOf, tokenBuckets } from '@leadback/http';
import type { RequestHandler, Response } from 'express';

const namesMax = 10_000;
const everyRequest = { perSecond: 20, burst: 200 };
// of passwords, codes and links
const secrets = { perSecond: 0.1, burst: 20 };
// each stores up to 512 KiB
const uploads = { perSecond: 0.05, burst: 40 };

/** Takes a token, or refuses the request and says how long to wait. */
type TakeToken = (response: Response, name: string) => void;

const limiter = (size: { readonly perSecond: number; readonly burst: number }): TakeToken => {
  const bucketOf = tokenBuckets(namesMax);
  return (response, name) => {
    const bucket = bucketOf(name, size);
    if (bucket.tryRemoveTokens(1)) return;
    const waitSeconds = Math.ceil(bucket.getWaitTime(1) / 1000);
    response.set('Retry-After', String(waitSeconds));
    throw new Refusal('rate-limited', { message: `too many requests; try again in ${waitSeconds} s` });
  };
};

/** Limits the requests of a network, and of a person who is signed in. For handlers behind `findSession`. */
export const limitRequests = (): RequestHandler => {
  const take = limiter(everyRequest);
  return (request, response, next) => {
    const { session } = request;
    take(response, session ? `person ${session.person.id}` : `network ${networkOf(request.ip ?? '')}`);
    next();
  };
};

/** Limits attempts with secrets, by the network of the caller and, if it is known, by whom or what they are meant for. */
export const secretsLimiter = (): ((response: Response, subject?: string) => void) => {
  const take = limiter(secrets);
  return (response, subject) => {
    take(response, `network ${networkOf(response.req.ip ?? '')}`);
    if (subject !== undefined) take(response, subject);
  };
};

/** Limits the images that a person uploads. */
export const uploadsLimiter = (): TakeToken => limiter(uploads);
