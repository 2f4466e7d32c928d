import { sign } from 'node:crypto';
import { secondMs } from '../span.ts';
import type { ServiceAccountKey } from './service-account-key.ts';

// Google's own URL, also if requests go to a stand-in
const audience = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/datamanager';
const lifeSeconds = 3600; // the maximum that Google accepts

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT signed with the service account's key, to exchange for an access token (RFC 7523, section 2.1). */
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
