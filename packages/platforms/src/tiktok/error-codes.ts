import type { Failure } from '../platform.ts';

/** Why TikTok refuses a connection. Each cause has its own advice. */
export type TikTokRefusal = 'pixel' | 'token';

const refusals: ReadonlyMap<number, TikTokRefusal> = new Map([
  [40001, 'pixel'], // no permission to operate the pixel
  [40102, 'token'], // expired, as far as we remember: to wait for the operator loses nothing
  [40104, 'token'], // empty
  [40105, 'token'], // incorrect, or revoked
] as const);

/** Every code that refuses a connection. */
export const refusingCodes: readonly number[] = [...refusals.keys()];

export const tiktokRefusal = (code: number): TikTokRefusal | undefined => refusals.get(code);

const verdicts: ReadonlyMap<number, Failure> = new Map([
  [40100, 'throttled'],
  [40002, 'rejected'],
  [40200, 'unavailable'], // task error
  [40201, 'unavailable'], // task not ready
  [40202, 'unavailable'], // conflict with another write
  [40700, 'unavailable'], // an internal service of TikTok failed
] as const);

const isSystemError = (code: number) => code >= 50_000 && code <= 59_999;

/**
 * What an error code of the API for Business means ("Return codes"; those of event reports as rudder-transformer's
 * `tiktok_ads` has them, the temporary ones as singer's `tap-tiktok-ads` does). `undefined` for a code that nobody
 * described.
 */
export const verdictOfTikTokCode = (code: number): Failure | undefined => {
  if (isSystemError(code)) return 'unavailable';
  return refusals.has(code) ? 'refused' : verdicts.get(code);
};
