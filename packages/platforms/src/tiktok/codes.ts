import type { CodeMeaning, Codes, Remedy } from '../codes.ts';

const token: Remedy = {
  words:
    'The access token is not valid: it is incomplete, has expired, or was revoked. Generate a new one in Events Manager: the pixel, Settings, Events API, "Generate access token".',
  change: ['accessToken'],
};
const pixel: Remedy = {
  words:
    'The access token may not send events to this pixel. Compare the pixel code with Events Manager, and generate the token in the settings of that pixel.',
  change: ['pixelCode', 'accessToken'],
};

const table: Codes['table'] = {
  40001: pixel, // no permission to operate the pixel
  40102: token, // expired, not documented: waiting for the operator loses nothing
  40104: token, // empty
  40105: token, // incorrect, or revoked
  40100: 'throttled',
  40002: 'rejected',
  40200: 'unavailable', // task error
  40201: 'unavailable', // task not ready
  40202: 'unavailable', // conflict with another write
  40700: 'unavailable', // an internal service of TikTok failed
};

const isSystemError = (code: number) => code >= 50_000 && code <= 59_999;

/**
 * The meaning of an error code of the API for Business. Sources: "Return codes", rudder-transformer `tiktok_ads` for
 * event reports, singer `tap-tiktok-ads` for temporary errors. `undefined` for an undocumented code.
 */
export const meaningOfTikTokCode = (code: number): CodeMeaning | undefined =>
  isSystemError(code) ? 'unavailable' : table[code];

export const tiktokCodes: Codes = {
  table,
  meaningOf: (reason) => meaningOfTikTokCode(Number(/^\d+(?=:)/.exec(reason)?.[0])),
  otherRemedy: {
    words:
      'TikTok rejects the connection for an unknown reason. Read the error message and check the pixel in Events Manager.',
    change: ['pixelCode', 'accessToken'],
  },
};
