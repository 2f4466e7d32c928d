import type { Mending } from '../platform.ts';

const token: Mending = {
  words:
    'The access token does not work: it is not whole, or was revoked. Generate a new one in Events Manager: the pixel, Settings, Events API, "Generate access token".',
  change: ['accessToken'],
};

const pixel: Mending = {
  words:
    'The access token may not send events to this pixel. Compare the pixel code with Events Manager, and generate the token in the settings of that pixel.',
  change: ['pixelCode', 'accessToken'],
};

const other: Mending = {
  words: "TikTok refuses the connection in words that we do not know. See what they say, and the pixel's own page.",
  change: ['pixelCode', 'accessToken'],
};

const mendings: ReadonlyMap<string, Mending> = new Map([
  ['40001', pixel],
  ['40104', token],
  ['40105', token],
]);

/** What is to be done about a refusal, by the code that its reason begins with. */
export const mendTikTok = (reason: string): Mending => mendings.get(/^\d+(?=:)/.exec(reason)?.[0] ?? '') ?? other;
