import type { Failure } from '../platform.ts';

const temporary = [1, 2, 5000, 368, 21009];
const rateLimits = [4, 17, 32, 341, 613, 80000, 80001, 80003, 80004, 80014];
const credentials = [190, 102, 104, 3, 10];
const wrongEvent = [100, 105, 803, 2500];

const verdicts: ReadonlyMap<number, Failure> = new Map([
  ...temporary.map((code) => [code, 'unavailable'] as const),
  ...rateLimits.map((code) => [code, 'throttled'] as const),
  ...credentials.map((code) => [code, 'refused'] as const),
  ...wrongEvent.map((code) => [code, 'rejected'] as const),
]);

const isPermission = (code: number) => code >= 200 && code <= 299;

/**
 * What an error of Meta's means, by its code alone: the HTTP status says little (190 and 17 were seen with 500, 21009
 * with 400). Graph API "error handling"; codes of the field: rudder-transformer `facebookUtils/networkHandler.js`.
 * `undefined` for a code that nobody described.
 */
export const verdictOfMetaCode = (code: number, subcode: number | undefined): Failure | undefined => {
  // the pixel does not exist, or the token has no access to it
  if (code === 100 && subcode === 33) return 'refused';
  return isPermission(code) ? 'refused' : verdicts.get(code);
};
