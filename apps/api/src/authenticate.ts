import type { IncomingMessage } from 'node:http';
import { type AccountMode, type KeyScope, Refusal } from '@leadback/domain';
import { networkOf, tokenBuckets, trustCaller } from '@leadback/http';
import type { FoundApiKey, WebhookCaller } from '@leadback/intake';
import { isWellFormedApiKey } from '@leadback/secrets';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ApiKeyCache } from './api-key-cache.ts';

declare global {
  namespace Express {
    interface Request {
      /** The valid key of the caller. */
      apiKey?: FoundApiKey;
    }
  }
}

/** The valid key of the caller. For handlers behind `authenticate`. */
export const apiKeyOf = ({ apiKey }: Request): FoundApiKey => {
  if (!apiKey) throw new Error('the request is not authenticated');
  return apiKey;
};

/** The account and mode of the caller. For handlers behind `authenticate`. */
export const modeOf = ({ req: request }: Response): AccountMode => {
  const { accountId, isTest } = apiKeyOf(request);
  return { accountId, isTest };
};

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

const looksLikeKey = /^lb_[0-9A-Za-z]{40}$/;
const invalidKeys = { perSecond: 10, burst: 100 };
const networksMax = 10_000;

const notFound = (key: string) =>
  new Refusal(looksLikeKey.test(key) && !isWellFormedApiKey(key) ? 'key-invalid.mistyped' : 'key-invalid');

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
  trustCaller(request);
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
