import { randomBytes } from 'node:crypto';
import type { ErrorAnswer, FailureResponses } from '../play-behaviour.ts';

interface MetaProblem {
  readonly code: number;
  readonly message: string;
  readonly subcode?: number;
  readonly type?: string;
  readonly isTransient?: boolean;
  readonly title?: string;
  readonly words?: string;
}

export const fbtraceId = (): string => `A${randomBytes(16).toString('base64url')}`;

/** The error body of the Graph API ("error handling"). */
export const metaError = (
  status: number,
  { code, message, subcode, type = 'OAuthException', isTransient = false, title, words }: MetaProblem,
): ErrorAnswer => ({
  status,
  body: {
    error: {
      message,
      type,
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      is_transient: isTransient,
      ...(title === undefined ? {} : { error_user_title: title }),
      ...(words === undefined ? {} : { error_user_msg: words }),
      fbtrace_id: fbtraceId(),
    },
  },
});

/** Code 100: the request is invalid, and nothing of it was processed. */
export const invalidParameter = (words: string, subcode?: number, title?: string): ErrorAnswer =>
  metaError(400, {
    code: 100,
    message: 'Invalid parameter',
    words,
    ...(subcode === undefined ? {} : { subcode }),
    ...(title === undefined ? {} : { title }),
  });

export const revokedToken: ErrorAnswer = metaError(400, {
  code: 190,
  subcode: 460,
  message: 'Error validating access token: the session has been invalidated',
});

export const metaFailureResponses: FailureResponses = {
  'server-error': metaError(503, { code: 2, message: 'Service temporarily unavailable', isTransient: true }),
  'rate-limited': {
    ...metaError(429, { code: 4, message: '(#4) Application request limit reached', isTransient: true }),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': revokedToken,
  'bad-event': invalidParameter('data[0]: the sandbox was told to refuse it'),
};
