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

// the gentlest first: what is rejected is lost for good, what is refused waits for the operator
const gentlestFirst: readonly Failure[] = ['throttled', 'unavailable', 'refused'];

/**
 * What the reasons of a refusal mean together (google/ads/datamanager/v1/error.proto, google/rpc/code.proto).
 * `undefined` where none of them says more than the HTTP status: most name a fault of the event.
 */
export const verdictOfGoogleReasons = (reasons: readonly string[]): Failure | undefined => {
  const known = new Set(
    reasons.map((reason) => (googleRefusal(reason) === undefined ? verdicts.get(reason) : 'refused')),
  );
  return gentlestFirst.find((verdict) => known.has(verdict));
};

/** Whether the account may not use personal data. Clicks are taken all the same. */
export const forbidsUserData = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => googleRefusal(reason) === 'userData');
