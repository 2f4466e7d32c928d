import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { isRevoked } from '../revoked.ts';

const lifeSeconds = 3600;

const requestSchema = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
});

const refusal = (status: number, error: string, description: string): ErrorAnswer => ({
  status,
  body: { error, error_description: description },
});

/** Why Google would issue no token (RFC 6749, section 5.2); `undefined` where it would. */
export const refusalOfTokenRequest = (body: unknown): ErrorAnswer | undefined => {
  const { data } = requestSchema.safeParse(body);
  if (data === undefined) return refusal(400, 'invalid_request', 'Missing or unknown parameter.');
  if (isRevoked(data.client_secret)) return refusal(401, 'invalid_client', 'The OAuth client was not found.');
  if (isRevoked(data.refresh_token)) return refusal(400, 'invalid_grant', 'Token has been expired or revoked.');
  return undefined;
};

/** Access tokens as Google's OAuth issues them. Those from elsewhere never expire: tests bring their own. */
export const createTokens = (now: () => number) => {
  const expiries = new Map<string, number>();
  return {
    issue: () => {
      const token = `ya29.${randomBytes(24).toString('base64url')}`;
      expiries.set(token, now() + lifeSeconds * 1000);
      return {
        access_token: token,
        expires_in: lifeSeconds,
        scope: 'https://www.googleapis.com/auth/datamanager',
        token_type: 'Bearer',
      };
    },
    isExpired: (token: string): boolean => (expiries.get(token) ?? Number.POSITIVE_INFINITY) <= now(),
  };
};
