import { type AccountMode, Refusal } from '@leadback/domain';
import { isWellFormedApiKey } from '@leadback/secrets';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { networkOf } from './network-of.ts';
import { tokenBuckets } from './token-buckets.ts';
import type { ApiKeyCache } from './api-key-cache.ts';

const callerSchema = z.object({
  accountId: z.number(),
  keyId: z.number(),
  isTest: z.boolean(),
  rateLimit: z.number(),
});

/** The caller of a request. For handlers behind `authenticate`. */
export const callerOf = (response: Response): z.infer<typeof callerSchema> =>
  callerSchema.parse(response.locals.caller);

/** The account and mode of the caller. For handlers behind `authenticate`. */
export const modeOf = (response: Response): AccountMode => {
  const { accountId, isTest } = callerOf(response);
  return { accountId, isTest };
};

const looksLikeKey = /^lb_[0-9A-Za-z]{40}$/;
const invalidKeys = { perSecond: 10, burst: 100 };
const networksMax = 10_000;

const notFound = (key: string) =>
  new Refusal(looksLikeKey.test(key) && !isWellFormedApiKey(key) ? 'key-invalid.mistyped' : 'key-invalid');

/**
 * Authenticates a request by the key in `x-api-key`. Unknown and revoked keys get the same response. After too many
 * invalid keys, an IP address may only use keys that were valid on this instance before, so that callers who share the
 * address are not blocked.
 */
export const authenticate = (keys: ApiKeyCache): RequestHandler => {
  const bucketOf = tokenBuckets(networksMax);
  return async (request, response, next) => {
    const sent = request.get('x-api-key')?.trim();
    if (!sent) throw new Refusal('key-missing');
    const invalidKeysLeft = bucketOf(networkOf(request.ip ?? ''), invalidKeys);
    const waitMs = invalidKeysLeft.getWaitTime(1);
    if (waitMs > 0 && !keys.hasKnown(sent)) {
      response.set('Retry-After', String(Math.ceil(waitMs / 1000)));
      throw new Refusal('rate-limited.address');
    }
    const key = await keys.find(sent);
    if (!key) {
      invalidKeysLeft.tryRemoveTokens(1);
      throw notFound(sent);
    }
    if (key.isExpired) throw new Refusal('key-expired');
    if (key.accountStatus !== 'active') throw new Refusal('account-suspended');
    response.locals.caller = {
      accountId: key.accountId,
      keyId: key.id,
      isTest: key.isTest,
      rateLimit: key.rateLimit,
    };
    next();
  };
};
