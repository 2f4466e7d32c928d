import type { Failure } from '../platform.ts';

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

const accessOrConfiguration = [
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_ALLOWLISTED',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
  'SERVICE_DISABLED',
  'INVALID_DESTINATION',
  'INVALID_CONVERSION_ACTION_ID',
  'INVALID_CONVERSION_ACTION_TYPE',
  'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH',
  'DESTINATION_ACCOUNT_TYPE_MISMATCH',
  'TERMS_AND_CONDITIONS_NOT_SIGNED',
];

/** The account may not use personal data. Clicks are taken all the same. */
const userDataNotAllowed: readonly string[] = [
  'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS',
  'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED',
  'DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS',
];

const verdicts: ReadonlyMap<string, Failure> = new Map([
  ...temporary.map((reason) => [reason, 'unavailable'] as const),
  ...rateLimits.map((reason) => [reason, 'throttled'] as const),
  ...[...accessOrConfiguration, ...userDataNotAllowed].map((reason) => [reason, 'refused'] as const),
]);

// the gentlest first: what is rejected is lost for good, what is refused waits for the operator
const gentlestFirst: readonly Failure[] = ['throttled', 'unavailable', 'refused'];

/**
 * What the reasons of a refusal mean together (google/ads/datamanager/v1/error.proto, google/rpc/code.proto).
 * `undefined` where none of them says more than the HTTP status: most name a fault of the event.
 */
export const verdictOfGoogleReasons = (reasons: readonly string[]): Failure | undefined => {
  const known = new Set(reasons.map((reason) => verdicts.get(reason)));
  return gentlestFirst.find((verdict) => known.has(verdict));
};

export const forbidsUserData = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => userDataNotAllowed.includes(reason));
