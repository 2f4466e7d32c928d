import type { Failure } from '../platform.ts';

/** Why TikTok rejects a connection. Each cause has its own remedy. */
export type TikTokRefusal = 'pixel' | 'token';

const refusals: ReadonlyMap<number, TikTokRefusal> = new Map([
  [40001, 'pixel'], // no permission to operate the pixel
  [40102, 'token'], // expired, not documented: waiting for the operator loses nothing
  [40104, 'token'], // empty
  [40105, 'token'], // incorrect, or revoked
] as const);

/** Every code that rejects a connection. */
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
 * The meaning of an error code of the API for Business. Sources: "Return codes", rudder-transformer `tiktok_ads` for
 * event reports, singer `tap-tiktok-ads` for temporary errors. `undefined` for an undocumented code.
 */
export const verdictOfTikTokCode = (code: number): Failure | undefined => {
  if (isSystemError(code)) return 'unavailable';
  return refusals.has(code) ? 'refused' : verdicts.get(code);
};
