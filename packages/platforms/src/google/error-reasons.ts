import type { Failure } from '../platform.ts';
import { googleRefusal } from './refusals.ts';

const temporary = [
  'INTERNAL_ERROR',
  'DEADLINE_EXCEEDED',
  'UNAVAILABLE',
  'INTERNAL',
  'ABORTED',
  'UNKNOWN',
  'CONVERSION_ACTION_TOO_RECENTLY_CREATED',
];

const rateLimits = ['RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED'];

const verdicts: ReadonlyMap<string, Failure> = new Map([
  ...temporary.map((reason) => [reason, 'unavailable'] as const),
  ...rateLimits.map((reason) => [reason, 'throttled'] as const),
]);

// least harmful first: rejected events are lost, a rejected connection (`refused`) waits for the operator
const leastHarmfulFirst: readonly Failure[] = ['throttled', 'unavailable', 'refused'];

/**
 * The combined meaning of the reasons of an error (google/ads/datamanager/v1/error.proto, google/rpc/code.proto).
 * `undefined` if none of them says more than the HTTP status: most describe an invalid event.
 */
export const verdictOfGoogleReasons = (reasons: readonly string[]): Failure | undefined => {
  const known = new Set(
    reasons.map((reason) => (googleRefusal(reason) === undefined ? verdicts.get(reason) : 'refused')),
  );
  return leastHarmfulFirst.find((verdict) => known.has(verdict));
};

/** Whether the account may not use personal data; clicks are accepted nevertheless. */
export const forbidsUserData = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => googleRefusal(reason) === 'userData');
