import type { Failure } from '../platform.ts';

/** What tells one error of Meta's from another. */
export interface MetaCode {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly message: string;
}

/** Why Meta refuses a connection. Each cause has its own advice. */
export type MetaRefusal = 'token' | 'permission' | 'dataSet' | 'proof' | 'version';

const refusals: ReadonlyMap<number, MetaRefusal> = new Map([
  [190, 'token'],
  [102, 'token'],
  [3, 'permission'],
  [10, 'permission'],
  [104, 'proof'],
  [2635, 'version'],
] as const);

// Meta words this as a wrong parameter (GraphMethodException, code 100). Only at the beginning: further on a message may
// quote what a visitor made up.
const aboutProof =
  /^(?:\(#100\) )?(?:Invalid appsecret_proof provided|API calls from the server require an appsecret_proof)/;

const isPermission = (code: number) => code >= 200 && code <= 299;

/** Why a connection is refused; `undefined` for errors that are about something else. */
export const metaRefusal = ({ code, subcode, message }: MetaCode): MetaRefusal | undefined => {
  // the pixel does not exist, or the token has no access to it
  if (code === 100 && subcode === 33) return 'dataSet';
  if (code === 100 && aboutProof.test(message)) return 'proof';
  return isPermission(code) ? 'permission' : refusals.get(code);
};

/** Every code that refuses a connection by itself, with the first and the last of those for permissions. */
export const refusingCodes: readonly number[] = [...refusals.keys(), 200, 299];

const temporary = [1, 2, 5000, 368, 21009];
const rateLimits = [4, 17, 32, 341, 613, 80000, 80001, 80003, 80004, 80014];
const wrongEvent = [100, 105, 803, 2500];

const verdicts: ReadonlyMap<number, Failure> = new Map([
  ...temporary.map((code) => [code, 'unavailable'] as const),
  ...rateLimits.map((code) => [code, 'throttled'] as const),
  ...wrongEvent.map((code) => [code, 'rejected'] as const),
]);

/**
 * What an error of Meta's means, by its code alone: the HTTP status says little (190 and 17 were seen with 500, 21009
 * with 400). Graph API "error handling"; codes of the field: rudder-transformer `facebookUtils/networkHandler.js`.
 * `undefined` for a code that nobody described.
 */
export const verdictOfMetaCode = (error: MetaCode): Failure | undefined =>
  metaRefusal(error) === undefined ? verdicts.get(error.code) : 'refused';
