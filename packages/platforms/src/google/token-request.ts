import { z } from 'zod';
import { type Judge, judgeReply } from '../judge-reply.ts';
import { parseJson } from '../parse-json.ts';
import type { Answer } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { minuteMs, secondMs } from '../span.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import type { GoogleCredentials } from './settings.ts';

export interface Granted {
  readonly kind: 'granted';
  readonly accessToken: string;
  readonly expiresAtMs: number;
}

export type Grant = Granted | { readonly kind: 'denied'; readonly answer: Answer };

const timeoutMaxMs = 10 * secondMs;
// a token must not run out on its way
const marginMs = minuteMs;

const grantedSchema = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().positive() });
const deniedSchema = z.object({ error: z.string(), error_description: z.string().catch('') });

const lasting: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client'];
const temporary: readonly string[] = ['server_error', 'temporarily_unavailable', 'internal_failure', 'slow_down'];

const isTemporary = (error: string, status: number) =>
  !lasting.includes(error) && (temporary.includes(error) || verdictOfStatus(status) === 'unavailable');

/** RFC 6749, section 5.2: the error's name decides. No event is to blame here, so none is ever rejected. */
const judgeDenial: Judge = (json, { status }) => {
  const denied = deniedSchema.safeParse(json);
  if (!denied.success) return undefined;
  const { error, error_description: description } = denied.data;
  const reason = `${error}: ${description}`;
  if (status === 429 && !lasting.includes(error)) return { kind: 'throttled', reason };
  return { kind: isTemporary(error, status) ? 'unavailable' : 'refused', reason };
};

/** Asks Google's token endpoint for an access token (RFC 6749, section 6). */
export const requestAccessToken = async (
  oauthUrl: string,
  { clientId, clientSecret, refreshToken }: GoogleCredentials,
  { post, now, requestTimeoutMs }: PlatformContext,
): Promise<Grant> => {
  const reply = await post({
    url: `${oauthUrl}/token`,
    form: {
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
      grant_type: 'refresh_token',
    },
    timeoutMs: Math.min(requestTimeoutMs, timeoutMaxMs),
  });

  const granted = grantedSchema.safeParse(
    reply.kind === 'answered' && reply.status === 200 ? parseJson(reply.body) : null,
  );
  if (granted.success) {
    const { access_token: accessToken, expires_in: seconds } = granted.data;
    return { kind: 'granted', accessToken, expiresAtMs: now() + seconds * secondMs - marginMs };
  }
  const redact = redaction(clientSecret, refreshToken);
  return { kind: 'denied', answer: judgeReply(reply, { judge: judgeDenial, redact, nowMs: now() }) };
};
