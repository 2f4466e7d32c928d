import { z } from 'zod';
import { type Judge, judgeReply } from '../judge-reply.ts';
import { parseJson } from '../parse-json.ts';
import type { Answer } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { minuteMs, secondMs } from '../span.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import type { GoogleCredentials } from './credentials.ts';
import { lastingTokenErrors, tokenErrorReason } from './codes.ts';
import { serviceAccountAssertion } from './service-account-assertion.ts';

export interface Granted {
  readonly kind: 'granted';
  readonly accessToken: string;
  readonly expiresAtMs: number;
}

export type Grant = Granted | { readonly kind: 'denied'; readonly answer: Answer };

const timeoutMaxMs = 10 * secondMs;
// so that no token expires during a request
const marginMs = minuteMs;

const grantedSchema = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().positive() });
const deniedSchema = z.object({ error: z.string(), error_description: z.string().catch('') });

const temporary: readonly string[] = ['server_error', 'temporarily_unavailable', 'internal_failure', 'slow_down'];

const isTemporary = (error: string, status: number) =>
  !lastingTokenErrors.includes(error) && (temporary.includes(error) || verdictOfStatus(status) === 'unavailable');

/** RFC 6749, section 5.2: the error code decides. No event is invalid here, so none is ever rejected. */
const judgeDenial =
  (isServiceAccount: boolean): Judge =>
  (json, { status }) => {
    const denied = deniedSchema.safeParse(json);
    if (!denied.success) return undefined;
    const { error, error_description: description } = denied.data;
    const reason = `${tokenErrorReason(error, isServiceAccount)}: ${description}`;
    if (status === 429 && !lastingTokenErrors.includes(error)) return { kind: 'throttled', reason };
    return { kind: isTemporary(error, status) ? 'unavailable' : 'refused', reason };
  };

/**
 * The parameters for the token endpoint: a refresh token (RFC 6749, section 6) or an assertion (RFC 7523, section 2.1).
 */
const grantOf = (credentials: GoogleCredentials, nowMs: number): Readonly<Record<string, string>> => {
  if ('serviceAccount' in credentials) {
    const assertion = serviceAccountAssertion(credentials.serviceAccount, nowMs);
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  }
  const { clientId, clientSecret, refreshToken } = credentials;
  return {
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
    grant_type: 'refresh_token',
  };
};

/**
 * The parts of credentials that must not be stored. A service account's email is kept: it tells which account lacks
 * access.
 */
const secretsOf = (credentials: GoogleCredentials) =>
  'serviceAccount' in credentials
    ? [credentials.serviceAccount.private_key]
    : [credentials.clientSecret, credentials.refreshToken];

/** Requests an access token from Google's token endpoint. */
export const requestAccessToken = async (
  oauthUrl: string,
  credentials: GoogleCredentials,
  { post, now, requestTimeoutMs }: PlatformContext,
): Promise<Grant> => {
  const form = grantOf(credentials, now());
  const reply = await post({
    url: `${oauthUrl}/token`,
    form,
    timeoutMs: Math.min(requestTimeoutMs, timeoutMaxMs),
  });

  const granted = grantedSchema.safeParse(
    reply.kind === 'answered' && reply.status === 200 ? parseJson(reply.body) : null,
  );
  if (granted.success) {
    const { access_token: accessToken, expires_in: seconds } = granted.data;
    return { kind: 'granted', accessToken, expiresAtMs: now() + seconds * secondMs - marginMs };
  }
  const redact = redaction(secretsOf(credentials), form['assertion']);
  const judge = judgeDenial('serviceAccount' in credentials);
  return { kind: 'denied', answer: judgeReply(reply, { judge, redact, nowMs: now() }) };
};
