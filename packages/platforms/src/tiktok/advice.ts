import type { Remedy } from '../platform.ts';
import { type TikTokRefusal, tiktokRefusal } from './error-codes.ts';

const advice: Readonly<Record<TikTokRefusal, Remedy>> = {
  token: {
    words:
      'The access token is not valid: it is incomplete, has expired, or was revoked. Generate a new one in Events Manager: the pixel, Settings, Events API, "Generate access token".',
    change: ['accessToken'],
  },
  pixel: {
    words:
      'The access token may not send events to this pixel. Compare the pixel code with Events Manager, and generate the token in the settings of that pixel.',
    change: ['pixelCode', 'accessToken'],
  },
};

const other: Remedy = {
  words:
    'TikTok rejects the connection for an unknown reason. Read the error message and check the pixel in Events Manager.',
  change: ['pixelCode', 'accessToken'],
};

/** `reason` begins with TikTok's code, which selects the remedy. */
export const remedyForTikTok = (reason: string): Remedy => {
  const refusal = tiktokRefusal(Number(/^\d+(?=:)/.exec(reason)?.[0]));
  return refusal === undefined ? other : advice[refusal];
};
