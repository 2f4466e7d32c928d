import { z } from 'zod';
import { createIssuedTokens } from '../issued-tokens.ts';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { refreshTokenRequestSchema } from '../refresh-token-request.ts';
import { isRevoked } from '../revoked.ts';
import { judgeAssertion } from './assertion.ts';

const lifeSeconds = 3600;

const requestSchema = z.discriminatedUnion('grant_type', [
  refreshTokenRequestSchema,
  z.object({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
    assertion: z.string().min(1),
  }),
]);

/** The number at the beginning of a client id; without one the client has a quota of its own. */
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

/** Issues access tokens like Google's OAuth. */
export const createTokens = (now: () => number) => {
  const issued = createIssuedTokens<string>(now, 'ya29.', lifeSeconds);
  return {
    issue: (project: string) => ({
      access_token: issued.issue(project),
      expires_in: lifeSeconds,
      scope: 'https://www.googleapis.com/auth/datamanager',
      token_type: 'Bearer',
    }),
    isExpired: issued.isExpired,
    /** The project whose quota counts requests with this token; a token from elsewhere has its own. */
    projectOf: (token: string): string => issued.ownerOf(token) ?? token,
  };
};
