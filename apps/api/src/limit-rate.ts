import { overRateMessage, Refusal } from '@leadback/domain';
import type { RequestHandler } from 'express';
import { apiKeyOf } from './authenticate.ts';
import { tokenBuckets } from './token-buckets.ts';

const keysMax = 100_000;
// seconds to fill an empty bucket: a burst may be twice the rate
const windowSeconds = 2;

/**
 * Limits a key to the requests per second of its account, on this instance. Every response has the remaining quota
 * (draft-ietf-httpapi-ratelimit-headers-10: `q` and `r` in requests, `w` and `t` in seconds).
 */
export const limitRate = (): RequestHandler => {
  const bucketOf = tokenBuckets(keysMax);
  return (request, response, next) => {
    const { id, rateLimit } = apiKeyOf(request);
    const burst = rateLimit * windowSeconds;
    // a changed rate gets a new bucket
    const bucket = bucketOf(`${id} ${rateLimit}`, { perSecond: rateLimit, burst });
    const isWithin = bucket.tryRemoveTokens(1);
    const left = Math.floor(bucket.content);
    response.setHeader('RateLimit-Policy', `"key";q=${burst};w=${windowSeconds}`);
    response.setHeader('RateLimit', `"key";r=${left};t=${Math.ceil((burst - left) / rateLimit)}`);
    if (isWithin) return next();
    const waitSeconds = Math.ceil(bucket.getWaitTime(1) / 1000);
    response.set('Retry-After', String(waitSeconds));
    throw new Refusal('rate-limited', { message: overRateMessage(rateLimit, waitSeconds) });
  };
};
