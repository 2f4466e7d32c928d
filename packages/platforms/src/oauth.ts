import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type PlatformResponse,
  type Judge,
  judgeReply,
  redaction,
  verdictOfStatus,
  parseJson,
  minuteMs,
  secondMs,
  type HttpResponse,
  type Reply,
  type RequestContent,
  secretText,
} from './exchange.ts';
import type { PlatformContext, StoredCredentials, Quota } from './definition.ts';
import { sha256 } from './event-parts.ts';

interface Granted {
  readonly kind: 'granted';
  readonly accessToken: string;
  readonly expiresAtMs: number;
  /** Replaces the one that was sent, if the platform issues another one each time. */
  readonly refreshToken?: string;
}

export type Grant = Granted | { readonly kind: 'denied'; readonly answer: PlatformResponse };

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

const tokenText = z.string().regex(/^[\x21-\x7e]+$/);
const grantedSchema = z.object({
  access_token: tokenText,
  expires_in: z.number().positive(),
  refresh_token: tokenText.optional().catch(undefined),
});
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
    const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken } = granted.data;
    return {
      kind: 'granted',
      accessToken,
      expiresAtMs: now() + seconds * secondMs - marginMs,
      ...(refreshToken !== undefined && refreshToken !== form['refresh_token'] && { refreshToken }),
    };
  }
  const redact = redaction(secrets);
  return { kind: 'denied', answer: judgeReply(reply, { judge: judgeDenial(codeOf), redact, nowMs: now() }) };
};

/** The stored credentials, as long as they are of the kind that a platform renews. */
export const storedOfKind = <All, Kind extends All>(
  stored: StoredCredentials<All> | undefined,
  isKind: (credentials: All) => credentials is Kind,
): StoredCredentials<Kind> | undefined =>
  stored && {
    connectionId: stored.connectionId,
    async read() {
      const found = await stored.read();
      return found && isKind(found.credentials) ? { credentials: found.credentials, keep: found.keep } : undefined;
    },
  };

const isGrantInvalid = (grant: Grant) =>
  grant.kind === 'denied' &&
  grant.answer.outcome.kind === 'refused' &&
  grant.answer.outcome.reason.startsWith('invalid_grant:');

// another app received the answer at most this much later than this one its refusal, and stores it
const renewalMs = [0, 300, 1_500] as const;

/**
 * Requests an access token with the refresh token that is stored now, or else with that of `opened`. One that comes instead
 * is stored before the access token is used. If the grant is invalid, another app may have renewed it meanwhile: then it
 * asks with what is stored by then, and waits for that a little. It asks once more in any case: now and then a platform
 * rejects a valid token, and takes it again at once.
 */
export const renewGrant = async <Credentials extends object>(
  opened: Credentials,
  stored: StoredCredentials<Credentials> | undefined,
  ask: (credentials: Credentials) => Promise<Grant>,
): Promise<Grant> => {
  let found = await stored?.read();
  let asked = found?.credentials ?? opened;
  let grant = await ask(asked);
  for (const pauseMs of renewalMs) {
    if (!isGrantInvalid(grant)) break;
    await wait(pauseMs);
    found = await stored?.read();
    const now = found?.credentials ?? opened;
    if (pauseMs > 0 && isDeepStrictEqual(now, asked)) continue;
    asked = now;
    grant = await ask(asked);
  }
  if (grant.kind === 'granted' && grant.refreshToken !== undefined) {
    await found?.keep({ ...found.credentials, refreshToken: grant.refreshToken });
  }
  return grant;
};

/** Returns the current access token or a new one; a token that was rejected (`refused`) is never returned again. */
type AccessTokens<Credentials> = (
  credentials: Credentials,
  refused?: string,
  stored?: StoredCredentials<Credentials>,
) => Promise<Grant>;

/**
 * Keeps access tokens until they expire. Concurrent callers share one request, but no two connections whose credentials are
 * renewed. Credentials are compared as JSON: their schema must define the order of fields.
 */
export const createAccessTokens = <Credentials>(
  request: (credentials: Credentials, stored: StoredCredentials<Credentials> | undefined) => Promise<Grant>,
  now: () => number,
): AccessTokens<Credentials> => {
  const atHand = new Map<string, Granted>();
  const underWay = new Map<string, Promise<Grant>>();

  const refresh = async (key: string, ...asked: Parameters<typeof request>) => {
    const grant = await request(...asked).finally(() => underWay.delete(key));
    for (const [other, { expiresAtMs }] of atHand) if (expiresAtMs <= now()) atHand.delete(other);
    if (grant.kind === 'granted') atHand.set(key, grant);
    return grant;
  };

  return async (credentials, refused, stored) => {
    const key = sha256(JSON.stringify([stored?.connectionId, credentials]));
    const held = atHand.get(key);
    if (held !== undefined && held.accessToken !== refused && held.expiresAtMs > now()) return held;

    const shared = underWay.get(key) ?? refresh(key, credentials, stored);
    underWay.set(key, shared);
    return shared;
  };
};

/** One account's access to an API. */
export interface AuthorizedAccess {
  /** Missing if the platform has none. */
  readonly quota?: Quota;
  /** Returns an access token, never the `refused` one. */
  readonly token: (refused?: string) => Promise<Grant>;
  /** False if there is only one access token. Default: true. */
  readonly isRenewable?: boolean;
  /** Whether the reply says that the access token has expired or is not valid. Default: for HTTP 401. */
  readonly isTokenRejected?: (reply: HttpResponse) => boolean;
}

const isUnauthorized = ({ status }: HttpResponse) => status === 401;

/** Access with a token that cannot be renewed. */
export const fixedAccess = (accessToken: string): AuthorizedAccess => ({
  token: () => Promise.resolve({ kind: 'granted', accessToken, expiresAtMs: Number.POSITIVE_INFINITY }),
  isRenewable: false,
});

type Asked = readonly [method: 'GET' | 'POST', content: Pick<RequestContent, 'url' | 'headers' | 'json'>];

type Called =
  | { readonly kind: 'replied'; readonly reply: Reply; readonly accessToken: string }
  /** Nothing was sent: no access token, or no quota slot. */
  | { readonly kind: 'denied'; readonly answer: PlatformResponse };

const postponed = (retryAfterMs: number): Called => ({
  kind: 'denied',
  answer: { outcome: { kind: 'postponed', reason: 'quota', retryAfterMs }, httpStatus: null, body: null },
});

/**
 * Returns a function that makes one request, and a second one with a new access token if the platform rejects the first
 * one's and it can be renewed. The caller has taken the quota slot of the first request; each further one takes its own.
 * Together they have the timeout of one request, which callers rely on.
 */
export const authorizedCalls = (
  { quota, token, isRenewable = true, isTokenRejected = isUnauthorized }: AuthorizedAccess,
  { request, takeSlot, requestTimeoutMs: timeoutMs }: PlatformContext,
): ((...asked: Asked) => Promise<Called>) => {
  let signal: AbortSignal | undefined;
  let hasSlot = true;

  const callOnce = async ([method, content]: Asked, refused?: string): Promise<Called> => {
    const waitMs = hasSlot || quota === undefined ? undefined : await takeSlot(quota);
    if (waitMs !== undefined) return postponed(waitMs);
    hasSlot = false;
    signal ??= AbortSignal.timeout(timeoutMs);
    const grant = await token(refused);
    if (grant.kind === 'denied') return grant;
    const { accessToken } = grant;
    const headers = { ...content.headers, authorization: `Bearer ${accessToken}` };
    const reply = await request(method, { ...content, headers, signal, timeoutMs });
    return { kind: 'replied', reply, accessToken };
  };

  return async (...asked) => {
    const called = await callOnce(asked);
    if (!isRenewable || called.kind === 'denied' || called.reply.kind === 'unreachable') return called;
    return isTokenRejected(called.reply) ? callOnce(asked, called.accessToken) : called;
  };
};

/** What an operator is told about a field. `expected`: the error for an invalid value. */
interface FieldTexts {
  readonly expected: string;
  readonly help: string;
}

/** The credentials that an OAuth client needs to get access tokens with a refresh token. */
export const oauthClientFields = (
  texts: Readonly<Record<'clientId' | 'clientSecret' | 'refreshToken', FieldTexts>>,
) => ({
  clientId: secretText(texts.clientId.expected).meta({
    help: texts.clientId.help,
    value: 'id',
  }),
  clientSecret: secretText(texts.clientSecret.expected).meta({
    help: texts.clientSecret.help,
    value: 'secret',
    isSecret: true,
  }),
  refreshToken: secretText(texts.refreshToken.expected).meta({
    help: texts.refreshToken.help,
    value: 'token',
    isSecret: true,
  }),
});
