import { randomBytes } from 'node:crypto';
import type { ErrorAnswer, FailureResponses } from '../play-behaviour.ts';

/** The body of every response of the API for Business. */
export const tiktokBody = (code: number, message: string) => ({
  code,
  message,
  request_id: randomBytes(16).toString('hex').toUpperCase(),
  data: {},
});

/** Errors have HTTP 200 too: the code tells. */
export const tiktokError = (code: number, message: string): ErrorAnswer => ({
  status: 200,
  body: tiktokBody(code, message),
});

/** The request is invalid, and nothing of it was processed. */
export const invalidParameter = (message: string): ErrorAnswer => tiktokError(40002, message);

export const badToken: ErrorAnswer = tiktokError(40104, 'Access token is empty or invalid.');

export const tiktokFailureResponses: FailureResponses = {
  'server-error': tiktokError(50000, 'System error.'),
  'rate-limited': {
    ...tiktokError(40100, 'Too many requests. Please retry in some time.'),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': badToken,
  'bad-event': invalidParameter('data: the sandbox was told to refuse it.'),
};
