import type { Answer } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { Quota } from '../quota.ts';
import type { Reply, RequestContent } from '../request.ts';
import type { Grant } from './token-request.ts';

/** How one account's requests get to Google. */
export interface GoogleAccess {
  readonly quota: Quota;
  /** An access token, another than the `refused` one. */
  readonly token: (refused?: string) => Promise<Grant>;
}

type Asked = readonly [method: 'GET' | 'POST', content: Pick<RequestContent, 'url' | 'json'>];

export type Called =
  | { readonly kind: 'replied'; readonly reply: Reply; readonly accessToken: string }
  /** Nothing was sent: no token, or no turn. */
  | { readonly kind: 'denied'; readonly answer: Answer };

const postponed = (retryAfterMs: number): Called => ({
  kind: 'denied',
  answer: { outcome: { kind: 'postponed', reason: 'quota', retryAfterMs }, httpStatus: null, body: null },
});

/**
 * Gives a function that makes one request of an exchange with Google, and a second one with a fresh access token where
 * Google asks for it. Each takes its turn first; all of them share the time of one request, for whoever waits for the
 * answer reckons with one. Waiting for the first turn is not counted.
 */
export const googleCalls = (
  { quota, token }: GoogleAccess,
  { request, takeSlot, requestTimeoutMs: timeoutMs }: PlatformContext,
): ((...asked: Asked) => Promise<Called>) => {
  let signal: AbortSignal | undefined;

  const callOnce = async ([method, content]: Asked, refused?: string): Promise<Called> => {
    const waitMs = await takeSlot(quota);
    if (waitMs !== undefined) return postponed(waitMs);
    signal ??= AbortSignal.timeout(timeoutMs);
    const grant = await token(refused);
    if (grant.kind === 'denied') return grant;
    const { accessToken } = grant;
    const headers = { authorization: `Bearer ${accessToken}` };
    const reply = await request(method, { ...content, headers, signal, timeoutMs });
    return { kind: 'replied', reply, accessToken };
  };

  return async (...asked) => {
    const called = await callOnce(asked);
    if (called.kind === 'denied' || called.reply.kind === 'unreachable' || called.reply.status !== 401) return called;
    return callOnce(asked, called.accessToken);
  };
};
