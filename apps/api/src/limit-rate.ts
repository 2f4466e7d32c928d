import { refuse } from '@leadback/http';
import type { RequestHandler } from 'express';
import { callerOf } from './authenticate.ts';
import { tokenBuckets } from './token-buckets.ts';

const keysMax = 100_000;
// seconds in which an unused bucket is full again: twice the rate may come in one burst
const windowSeconds = 2;

/**
 * Holds a key to the requests a second of its account, on this instance. Every answer says what is left
 * (draft-ietf-httpapi-ratelimit-headers-10: `q` and `r` requests, `w` and `t` seconds).
 */
export const limitRate = (): RequestHandler => {
  const bucketOf = tokenBuckets(keysMax);
  return (_request, response, next) => {
    const { keyId, rateLimit } = callerOf(response);
    const burst = rateLimit * windowSeconds;
    // a changed rate is another bucket
    const bucket = bucketOf(`${keyId} ${rateLimit}`, { perSecond: rateLimit, burst });
    const isWithin = bucket.tryRemoveTokens(1);
    const left = Math.floor(bucket.content);
    response.set({
      'RateLimit-Policy': `"key";q=${burst};w=${windowSeconds}`,
      RateLimit: `"key";r=${left};t=${Math.ceil((burst - left) / rateLimit)}`,
    });
    if (isWithin) return next();
    const waitSeconds = Math.ceil(bucket.getWaitTime(1) / 1000);
    response.set('Retry-After', String(waitSeconds));
    refuse(
      response,
      'rate-limited',
      `more than ${rateLimit} requests a second with this key; try again in ${waitSeconds} s`,
    );
  };
};
