import type { Failure } from '../platform.ts';

const verdicts: ReadonlyMap<number, Failure> = new Map([
  [40001, 'refused'], // no permission to operate the pixel
  [40102, 'refused'], // the token has expired, as far as we remember: to wait for the operator loses nothing
  [40104, 'refused'], // the token is empty
  [40105, 'refused'], // the token is incorrect, or was revoked
  [40100, 'throttled'],
  [40002, 'rejected'],
]);

/**
 * What an error code of the API for Business means ("Return codes"; those of event reports as rudder-transformer's
 * `tiktok_ads` has them). `undefined` for a code that nobody described.
 */
export const verdictOfTikTokCode = (code: number): Failure | undefined =>
  code >= 50_000 && code <= 59_999 ? 'unavailable' : verdicts.get(code);
