import { sha256 } from '../sha256.ts';
import type { GoogleCredentials } from './credentials.ts';
import type { Grant, Granted } from './token-request.ts';

/** Returns the current access token or a new one; a token that was rejected (`refused`) is never returned again. */
export type AccessTokens = (credentials: GoogleCredentials, refused?: string) => Promise<Grant>;

// the schema defines the order of fields
const keyOf = (credentials: GoogleCredentials) => sha256(JSON.stringify(credentials));

/** Keeps access tokens until they expire. Concurrent callers share one request. */
export const createAccessTokens = (
  request: (credentials: GoogleCredentials) => Promise<Grant>,
  now: () => number,
): AccessTokens => {
  const atHand = new Map<string, Granted>();
  const underWay = new Map<string, Promise<Grant>>();

  const refresh = async (key: string, credentials: GoogleCredentials) => {
    const grant = await request(credentials).finally(() => underWay.delete(key));
    for (const [other, { expiresAtMs }] of atHand) if (expiresAtMs <= now()) atHand.delete(other);
    if (grant.kind === 'granted') atHand.set(key, grant);
    return grant;
  };

  return async (credentials, refused) => {
    const key = keyOf(credentials);
    const held = atHand.get(key);
    if (held !== undefined && held.accessToken !== refused && held.expiresAtMs > now()) return held;

    const shared = underWay.get(key) ?? refresh(key, credentials);
    underWay.set(key, shared);
    return shared;
  };
};
