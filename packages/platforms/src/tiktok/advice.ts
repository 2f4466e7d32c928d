import type { Remedy } from '../platform.ts';
import { type TikTokRefusal, tiktokRefusal } from './error-codes.ts';

const advice: Readonly<Record<TikTokRefusal, Remedy>> = {
  token: {
    words:
      'The access token does not work: it is not whole, has expired, or was revoked. Generate a new one in Events Manager: the pixel, Settings, Events API, "Generate access token".',
    change: ['accessToken'],
  },
  pixel: {
    words:
      'The access token may not send events to this pixel. Compare the pixel code with Events Manager, and generate the token in the settings of that pixel.',
    change: ['pixelCode', 'accessToken'],
  },
};

const other: Remedy = {
  words: "TikTok refuses the connection in words that we do not know. See what they say, and the pixel's own page.",
  change: ['pixelCode', 'accessToken'],
};

/** What is to be done about a refusal, by the code that its reason begins with. */
export const remedyForTikTok = (reason: string): Remedy => {
  const refusal = tiktokRefusal(Number(/^\d+(?=:)/.exec(reason)?.[0]));
  return refusal === undefined ? other : advice[refusal];
};
