import { sha256 } from '../sha256.ts';
import type { Grant, Granted } from './token-request.ts';

/** Returns the current access token or a new one; a token that was rejected (`refused`) is never returned again. */
export type AccessTokens<Credentials> = (credentials: Credentials, refused?: string) => Promise<Grant>;

/**
 * Keeps access tokens until they expire. Concurrent callers share one request. Credentials are compared as JSON: their
 * schema must define the order of fields.
 */
export const createAccessTokens = <Credentials>(
  request: (credentials: Credentials) => Promise<Grant>,
  now: () => number,
): AccessTokens<Credentials> => {
  const atHand = new Map<string, Granted>();
  const underWay = new Map<string, Promise<Grant>>();

  const refresh = async (key: string, credentials: Credentials) => {
    const grant = await request(credentials).finally(() => underWay.delete(key));
    for (const [other, { expiresAtMs }] of atHand) if (expiresAtMs <= now()) atHand.delete(other);
    if (grant.kind === 'granted') atHand.set(key, grant);
    return grant;
  };

  return async (credentials, refused) => {
    const key = sha256(JSON.stringify(credentials));
    const held = atHand.get(key);
    if (held !== undefined && held.accessToken !== refused && held.expiresAtMs > now()) return held;

    const shared = underWay.get(key) ?? refresh(key, credentials);
    underWay.set(key, shared);
    return shared;
  };
};
