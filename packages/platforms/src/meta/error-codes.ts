import type { Failure } from '../platform.ts';

/** What distinguishes Meta's errors. */
export interface MetaCode {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly message: string;
}

/** Why Meta rejects a connection. Each cause has its own remedy. */
export type MetaRefusal = 'token' | 'permission' | 'dataSet' | 'proof' | 'version';

const refusals: ReadonlyMap<number, MetaRefusal> = new Map([
  [190, 'token'],
  [102, 'token'],
  [3, 'permission'],
  [10, 'permission'],
  [104, 'proof'],
  [2635, 'version'],
] as const);

// Meta reports this as an invalid parameter (GraphMethodException, code 100). Matched only at the beginning, because
// the rest of a message may quote a visitor's data.
const aboutProof =
  /^(?:\(#100\) )?(?:Invalid appsecret_proof provided|API calls from the server require an appsecret_proof)/;

const isPermission = (code: number) => code >= 200 && code <= 299;

/** Why a connection is rejected; `undefined` for errors that do not concern the connection. */
export const metaRefusal = ({ code, subcode, message }: MetaCode): MetaRefusal | undefined => {
  // the pixel does not exist, or the token has no access to it
  if (code === 100 && subcode === 33) return 'dataSet';
  if (code === 100 && aboutProof.test(message)) return 'proof';
  return isPermission(code) ? 'permission' : refusals.get(code);
};

/** Every code that rejects a connection by itself, and the first and last of those for permissions. */
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
 * The meaning of Meta's error by its code alone: the HTTP status is not reliable (190 and 17 were observed with 500,
 * 21009 with 400). Sources: Graph API "error handling", rudder-transformer `facebookUtils/networkHandler.js`.
 * `undefined` for an undocumented code.
 */
export const verdictOfMetaCode = (error: MetaCode): Failure | undefined =>
  metaRefusal(error) === undefined ? verdicts.get(error.code) : 'refused';
