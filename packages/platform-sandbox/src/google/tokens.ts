import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { isRevoked } from '../revoked.ts';
import { judgeAssertion } from './assertion.ts';

const lifeSeconds = 3600;

const requestSchema = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    refresh_token: z.string().min(1),
  }),
  z.object({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
    assertion: z.string().min(1),
  }),
]);

/** Of a client id the number that it begins with; what has none counts by itself. */
const projectOfClient = (clientId: string) => /^(\d+)-/.exec(clientId)?.[1] ?? clientId;

type TokenRequest =
  | { readonly kind: 'good'; readonly project: string }
  | { readonly kind: 'refused'; readonly refusal: ErrorAnswer };

const refused = (status: number, error: string, description: string): TokenRequest => ({
  kind: 'refused',
  refusal: { status, body: { error, error_description: description } },
});

/** Whether Google would issue a token, and for which project (RFC 6749, section 5.2). */
export const judgeTokenRequest = (body: unknown, nowMs: number): TokenRequest => {
  const { data } = requestSchema.safeParse(body);
  if (data === undefined) return refused(400, 'invalid_request', 'Missing or unknown parameter.');
  if ('assertion' in data) {
    const judged = judgeAssertion(data.assertion, nowMs);
    return judged.kind === 'good' ? judged : refused(400, 'invalid_grant', judged.fault);
  }
  if (isRevoked(data.client_secret)) return refused(401, 'invalid_client', 'The OAuth client was not found.');
  if (isRevoked(data.refresh_token)) return refused(400, 'invalid_grant', 'Token has been expired or revoked.');
  return { kind: 'good', project: projectOfClient(data.client_id) };
};

/** Access tokens as Google's OAuth issues them. Those from elsewhere never expire: tests bring their own. */
export const createTokens = (now: () => number) => {
  const issued = new Map<string, { readonly expiresAtMs: number; readonly project: string }>();
  return {
    issue: (project: string) => {
      const token = `ya29.${randomBytes(24).toString('base64url')}`;
      issued.set(token, { expiresAtMs: now() + lifeSeconds * 1000, project });
      return {
        access_token: token,
        expires_in: lifeSeconds,
        scope: 'https://www.googleapis.com/auth/datamanager',
        token_type: 'Bearer',
      };
    },
    isExpired: (token: string): boolean => (issued.get(token)?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= now(),
    /** Whose quota a request with this token counts to: a token from elsewhere counts by itself. */
    projectOf: (token: string): string => issued.get(token)?.project ?? token,
  };
};
