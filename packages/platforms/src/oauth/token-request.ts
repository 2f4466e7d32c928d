import { z } from 'zod';
import { type Judge, judgeReply } from '../judge-reply.ts';
import { parseJson } from '../parse-json.ts';
import type { Answer } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { minuteMs, secondMs } from '../span.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';

export interface Granted {
  readonly kind: 'granted';
  readonly accessToken: string;
  readonly expiresAtMs: number;
}

export type Grant = Granted | { readonly kind: 'denied'; readonly answer: Answer };

export interface TokenRequest {
  /** The URL of the token endpoint. */
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  /** Texts of the request that must not be stored. */
  readonly secrets: readonly unknown[];
  /** The code of the reason for an error of the token endpoint. Default: the error. */
  readonly codeOf?: (error: string) => string;
}

const timeoutMaxMs = 10 * secondMs;
// so that no token expires during a request
const marginMs = minuteMs;

const grantedSchema = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().positive() });
const deniedSchema = z.object({ error: z.string(), error_description: z.string().catch('') });

/** The permanent errors of a token endpoint (RFC 6749, section 5.2), whatever the HTTP status. */
export const lastingTokenErrors: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

const temporary: readonly string[] = ['server_error', 'temporarily_unavailable', 'internal_failure', 'slow_down'];

const isTemporary = (error: string, status: number) =>
  !lastingTokenErrors.includes(error) && (temporary.includes(error) || verdictOfStatus(status) === 'unavailable');

/** RFC 6749, section 5.2: the error code decides. No event is invalid here, so none is ever rejected. */
const judgeDenial =
  (codeOf: (error: string) => string): Judge =>
  (json, { status }) => {
    const denied = deniedSchema.safeParse(json);
    if (!denied.success) return undefined;
    const { error, error_description: description } = denied.data;
    const reason = `${codeOf(error)}: ${description}`;
    if (status === 429 && !lastingTokenErrors.includes(error)) return { kind: 'throttled', reason };
    return { kind: isTemporary(error, status) ? 'unavailable' : 'refused', reason };
  };

/** The parameters that exchange a refresh token for an access token (RFC 6749, section 6). */
export const refreshTokenGrant = ({
  clientId,
  clientSecret,
  refreshToken,
}: Readonly<Record<'clientId' | 'clientSecret' | 'refreshToken', string>>): Readonly<Record<string, string>> => ({
  client_id: clientId,
  client_secret: clientSecret,
  refresh_token: refreshToken,
  grant_type: 'refresh_token',
});

/** Requests an access token from a platform's token endpoint. */
export const requestToken = async (
  { url, form, secrets, codeOf = (error) => error }: TokenRequest,
  { post, now, requestTimeoutMs }: PlatformContext,
): Promise<Grant> => {
  const reply = await post({ url, form, timeoutMs: Math.min(requestTimeoutMs, timeoutMaxMs) });

  const granted = grantedSchema.safeParse(
    reply.kind === 'answered' && reply.status === 200 ? parseJson(reply.body) : null,
  );
  if (granted.success) {
    const { access_token: accessToken, expires_in: seconds } = granted.data;
    return { kind: 'granted', accessToken, expiresAtMs: now() + seconds * secondMs - marginMs };
  }
  const redact = redaction(secrets);
  return { kind: 'denied', answer: judgeReply(reply, { judge: judgeDenial(codeOf), redact, nowMs: now() }) };
};
