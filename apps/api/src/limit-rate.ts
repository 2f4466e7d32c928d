import { overRateMessage, Refusal } from '@leadback/domain';
import { tokenBuckets } from '@leadback/http';
import type { RequestHandler, Response } from 'express';
import type { TokenBucket } from 'limiter';
import { apiKeyOf } from './authenticate.ts';

declare global {
  namespace Express {
    interface Request {
      /** The tokens of the key of the caller. */
      tokens?: TokenBucket;
    }
  }
}

const keysMax = 100_000;
// seconds to fill an empty bucket: a burst may be twice the rate
const windowSeconds = 2;

/** Tells the remaining quota. A bucket in debt has none left, and takes longer until it is full. */
const tellQuota = (response: Response, { content, bucketSize, tokensPerInterval: perSecond }: TokenBucket): void => {
  const left = Math.floor(content);
  response.setHeader('RateLimit-Policy', `"key";q=${bucketSize};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"key";r=${Math.max(0, left)};t=${Math.ceil((bucketSize - left) / perSecond)}`);
};

const refuse = (response: Response, bucket: TokenBucket): never => {
  const waitSeconds = Math.ceil(bucket.getWaitTime(1) / 1000);
  response.set('Retry-After', String(waitSeconds));
  throw new Refusal('rate-limited', { message: overRateMessage(bucket.tokensPerInterval, waitSeconds) });
};

/**
 * Limits a key to the requests per second of its account, on this instance. Every response has the remaining quota
 * (draft-ietf-httpapi-ratelimit-headers-10: `q` and `r` in requests, `w` and `t` in seconds).
 */
export const limitRate = (): RequestHandler => {
  const bucketOf = tokenBuckets(keysMax);
  return (request, response, next) => {
    const { id, rateLimit } = apiKeyOf(request);
    // a changed rate gets a new bucket
    const bucket = bucketOf(`${id} ${rateLimit}`, { perSecond: rateLimit, burst: rateLimit * windowSeconds });
    request.tokens = bucket;
    const isWithin = bucket.tryRemoveTokens(1);
    tellQuota(response, bucket);
    if (!isWithin) refuse(response, bucket);
    next();
  };
};

/**
 * Takes a token for each item of a batch; the request has paid for the first one. A batch may be larger than a burst, so
 * it may overdraw the bucket: the next requests of the key are refused until the debt is paid. A batch that finds a debt
 * of another one is refused, so that only one at a time overdraws. For handlers behind `limitRate`.
 */
export const takeTokens = (response: Response, items: number): void => {
  const { tokens } = response.req;
  if (!tokens) throw new Error('the rate of the request is not limited');
  tokens.drip();
  const isInDebt = tokens.content < 0;
  if (!isInDebt) tokens.content -= items - 1;
  tellQuota(response, tokens);
  if (isInDebt) refuse(response, tokens);
};
