import { sign } from 'node:crypto';
import { secondMs } from '../span.ts';
import type { ServiceAccountKey } from './service-account-key.ts';

// whom the assertion is for, wherever requests go: a stand-in on the way is told the same
const audience = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/datamanager';
const lifeSeconds = 3600; // the longest that Google takes

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a service account shows Google for an access token: a JWT that its key has signed (RFC 7523, section 2.1). */
export const serviceAccountAssertion = (
  { client_email: email, private_key: privateKey, private_key_id: keyId }: ServiceAccountKey,
  nowMs: number,
): string => {
  const issuedAt = Math.floor(nowMs / secondMs);
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { iss: email, scope, aud: audience, iat: issuedAt, exp: issuedAt + lifeSeconds };
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
};
