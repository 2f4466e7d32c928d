import { randomBytes } from 'node:crypto';
import type { ErrorAnswer, Troubles } from '../play-behaviour.ts';

/** What every answer of the API for Business looks like, good or bad. */
export const tiktokBody = (code: number, message: string) => ({
  code,
  message,
  request_id: randomBytes(16).toString('hex').toUpperCase(),
  data: {},
});

/** An error is HTTP 200, too: the code tells. */
export const tiktokError = (code: number, message: string): ErrorAnswer => ({
  status: 200,
  body: tiktokBody(code, message),
});

/** Something of the request is wrong, and nothing of it was processed. */
export const invalidParameter = (message: string): ErrorAnswer => tiktokError(40002, message);

export const badToken: ErrorAnswer = tiktokError(40104, 'Access token is empty or invalid.');

export const tiktokTroubles: Troubles = {
  'server-error': tiktokError(50000, 'System error.'),
  'rate-limited': {
    ...tiktokError(40100, 'Too many requests. Please retry in some time.'),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': badToken,
  'bad-event': invalidParameter('data: the sandbox was told to refuse it.'),
};
