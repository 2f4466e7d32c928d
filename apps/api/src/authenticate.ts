import type { IncomingMessage } from 'node:http';
import { apiKeyFinder, type FoundApiKey, noteApiKeyUse } from '@leadback/core/api-keys/find-api-key';
import type { WebhookCaller } from '@leadback/core/webhooks/webhooks';
import type { Database } from '@leadback/db';
import { hashApiKey, isWellFormedApiKey, looksLikeApiKey } from '@leadback/domain/keys';
import { LRUCache } from 'lru-cache';
import { type AccountMode, type KeyScope, Refusal, overRateMessage } from '@leadback/domain';
import { networkOf, tokenBuckets, trustCaller } from '@leadback/server/http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { TokenBucket } from 'limiter';

export interface ApiKeyCache {
  find(key: string): Promise<FoundApiKey | undefined>;
  /** The key if it was found less than five seconds ago. Reads only memory. */
  findCached(key: string): FoundApiKey | undefined;
  /** The id of a key that has been valid on this instance. Reads only memory. */
  knownId(key: string): number | undefined;
}

// Upper limit until a revocation takes effect.
const cachedForMs = 5_000;
const keysMax = 10_000;

const hashOf = (key: string) => hashApiKey(key).toString('hex');

/**
 * Finds keys by hash and caches the results, valid or not, so that a repeated invalid key gets its response as fast as
 * a valid one. Saves the last use of a key in the background, at most once a minute.
 */
export const apiKeyCache = (pool: Database['pool'], onNoteFailed: (error: unknown) => void): ApiKeyCache => {
  const findInDatabase = apiKeyFinder(pool);
  const unknown = new LRUCache<string, true>({ max: keysMax, ttl: cachedForMs });
  const known = new LRUCache<string, FoundApiKey>({
    max: keysMax,
    ttl: cachedForMs,
    noDeleteOnStaleGet: true, // for `knownId`
    fetchMethod: async (hash) => {
      const key = await findInDatabase(hash);
      if (!key) unknown.set(hash, true);
      else if (key.isUseUnnoted) noteApiKeyUse(pool, key.id).catch(onNoteFailed);
      return key ?? undefined;
    },
  });
  return {
    async find(key) {
      const hash = hashOf(key);
      return unknown.has(hash) ? undefined : known.fetch(hash);
    },
    findCached: (key) => known.get(hashOf(key)),
    knownId: (key) => known.peek(hashOf(key), { allowStale: true })?.id,
  };
};

declare global {
  namespace Express {
    interface Request {
      /** The valid key of the caller. */
      apiKey?: FoundApiKey;
    }
  }
}

/** The valid key of the caller. For handlers behind `authenticate`. */
const apiKeyOf = ({ apiKey }: Request): FoundApiKey => {
  if (!apiKey) throw new Error('the request is not authenticated');
  return apiKey;
};

/** The account and mode of the caller. For handlers behind `authenticate`. */
export const modeOf = ({ req: request }: Response): AccountMode => {
  const { accountId, isTest } = apiKeyOf(request);
  return { accountId, isTest };
};

/** The name of the account of the caller. For handlers behind `authenticate`. */
export const accountNameOf = ({ req: request }: Response): string => apiKeyOf(request).accountName;

/** The same, with the key as it is called in the audit log. */
export const callerOf = (response: Response): WebhookCaller => ({
  ...modeOf(response),
  actor: `key ${apiKeyOf(response.req).id}`,
});

/** Refuses keys without one of these scopes. For handlers behind `authenticate`. */
export const requireScopes =
  (needs: readonly KeyScope[]): RequestHandler =>
  (request, _response, next) => {
    const { scopes } = apiKeyOf(request);
    const missing = needs.find((scope) => !scopes.includes(scope));
    if (missing) throw new Refusal(`scope-missing.${missing}`);
    next();
  };

const invalidKeys = { perSecond: 10, burst: 100 };
const networksMax = 10_000;

const notFound = (key: string) =>
  new Refusal(looksLikeApiKey(key) && !isWellFormedApiKey(key) ? 'key-invalid.mistyped' : 'key-invalid');

const sentKey = ({ headers: { 'x-api-key': header } }: IncomingMessage): string =>
  typeof header === 'string' ? header.trim() : '';

/** Names the caller of a request that waits by its key, if that has been valid before. */
export const keyedCaller =
  (keys: ApiKeyCache) =>
  (request: IncomingMessage): string | undefined => {
    const id = keys.knownId(sentKey(request));
    return id === undefined ? undefined : `key ${id}`;
  };

const admit = (request: Request, key: FoundApiKey): void => {
  if (key.isExpired) throw new Refusal('key-expired');
  if (key.accountStatus !== 'active') throw new Refusal('account-suspended');
  request.apiKey = key;
  request.refusesUnknownFields = key.isTest;
};

/**
 * Authenticates a request by the key in `x-api-key`. Unknown and revoked keys get the same response. After too many
 * invalid keys, only texts with the format and checksum of a key are looked up, many at once, so that callers who share
 * the address are not blocked.
 */
export const authenticate = (keys: ApiKeyCache): RequestHandler => {
  const bucketOf = tokenBuckets(networksMax);

  const lookUp = async (sent: string, request: Request, response: Response, next: NextFunction): Promise<void> => {
    const invalidKeysLeft = bucketOf(networkOf(request.ip ?? ''), invalidKeys);
    const waitMs = invalidKeysLeft.getWaitTime(1);
    const isLimited = waitMs > 0;
    const key = isLimited && !isWellFormedApiKey(sent) ? undefined : await keys.find(sent);
    if (!key && isLimited) {
      response.set('Retry-After', String(Math.ceil(waitMs / 1000)));
      throw new Refusal('rate-limited.address');
    }
    if (!key) {
      invalidKeysLeft.tryRemoveTokens(1);
      throw notFound(sent);
    }
    admit(request, key);
    next();
  };

  return (request, response, next) => {
    const sent = sentKey(request);
    if (sent === '') throw new Refusal('key-missing');
    // nearly every request: without a promise, and without parsing an address
    const cached = keys.findCached(sent);
    if (!cached) return lookUp(sent, request, response, next);
    admit(request, cached);
    next();
  };
};

declare global {
  namespace Express {
    interface Request {
      /** The tokens of the key of the caller. */
      tokens?: TokenBucket;
    }
  }
}

const limitedKeysMax = 100_000;
// seconds to fill an empty bucket: a burst may be twice the rate
const windowSeconds = 2;

/** Tells the remaining quota. A bucket in debt has none left, and takes longer until it is full. */
const setQuotaHeaders = (
  response: Response,
  { content, bucketSize, tokensPerInterval: perSecond }: TokenBucket,
): void => {
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
  const bucketOf = tokenBuckets(limitedKeysMax);
  return (request, response, next) => {
    const { id, rateLimit } = apiKeyOf(request);
    // a changed rate gets a new bucket
    const bucket = bucketOf(`${id} ${rateLimit}`, { perSecond: rateLimit, burst: rateLimit * windowSeconds });
    request.tokens = bucket;
    const isWithin = bucket.tryRemoveTokens(1);
    setQuotaHeaders(response, bucket);
    if (!isWithin) refuse(response, bucket);
    trustCaller(request, `key ${id}`);
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
  setQuotaHeaders(response, tokens);
  if (isInDebt) refuse(response, tokens);
};
