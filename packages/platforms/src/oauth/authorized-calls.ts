import type { Answer } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { Quota } from '../quota.ts';
import type { Answered, Reply, RequestContent } from '../request.ts';
import type { Grant } from './token-request.ts';

/** One account's access to an API. */
export interface AuthorizedAccess {
  /** Missing if the platform has none. */
  readonly quota?: Quota;
  /** Returns an access token, never the `refused` one. */
  readonly token: (refused?: string) => Promise<Grant>;
  /** False if there is only one access token. Default: true. */
  readonly isRenewable?: boolean;
  /** Whether the reply says that the access token has expired or is not valid. Default: for HTTP 401. */
  readonly isTokenRejected?: (reply: Answered) => boolean;
}

const isUnauthorized = ({ status }: Answered) => status === 401;

/** Access with a token that cannot be renewed. */
export const fixedAccess = (accessToken: string): AuthorizedAccess => ({
  token: () => Promise.resolve({ kind: 'granted', accessToken, expiresAtMs: Number.POSITIVE_INFINITY }),
  isRenewable: false,
});

type Asked = readonly [method: 'GET' | 'POST', content: Pick<RequestContent, 'url' | 'headers' | 'json'>];

export type Called =
  | { readonly kind: 'replied'; readonly reply: Reply; readonly accessToken: string }
  /** Nothing was sent: no access token, or no quota slot. */
  | { readonly kind: 'denied'; readonly answer: Answer };

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
