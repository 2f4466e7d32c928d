import type { Failure } from '@leadback/domain';
import { type CodeMeaning, type Codes, verdictOf } from '../codes.ts';
import { lastingTokenErrors } from '../oauth/token-request.ts';
import * as remedies from './remedies.ts';

const serviceAccountPrefix = 'service_account_';

/** The code of a token endpoint's error for a service account, for which the same errors have another meaning. */
export const tokenErrorCode = (error: string): string => serviceAccountPrefix + error;

// google/ads/datamanager/v1/error.proto, google/rpc/code.proto
const table: Codes['table'] = {
  invalid_grant: remedies.consentAgain,
  UNAUTHENTICATED: remedies.accessToken,
  ACCESS_TOKEN_INVALID: remedies.accessToken,
  ACCESS_TOKEN_EXPIRED: remedies.accessToken,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: remedies.accessToken,
  invalid_client: remedies.oauthClient,
  unauthorized_client: remedies.oauthClient,
  ...Object.fromEntries(
    lastingTokenErrors.map((error) => [serviceAccountPrefix + error, remedies.serviceAccountKey] as const),
  ),
  PERMISSION_DENIED: remedies.access,
  INVALID_DESTINATION: remedies.account,
  OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH: remedies.account,
  DESTINATION_ACCOUNT_TYPE_MISMATCH: remedies.account,
  INVALID_CONVERSION_ACTION_ID: remedies.conversionAction,
  INVALID_CONVERSION_ACTION_TYPE: remedies.conversionAction,
  SERVICE_DISABLED: remedies.api,
  NOT_ALLOWLISTED: remedies.allowlist,
  TERMS_AND_CONDITIONS_NOT_SIGNED: remedies.terms,
  // the account may not use personal data; clicks are accepted nevertheless
  DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS: remedies.userData,
  DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED: remedies.userData,
  DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS: remedies.userData,
  INTERNAL_ERROR: 'unavailable',
  DEADLINE_EXCEEDED: 'unavailable',
  UNAVAILABLE: 'unavailable',
  INTERNAL: 'unavailable',
  ABORTED: 'unavailable',
  UNKNOWN: 'unavailable',
  CONVERSION_ACTION_TOO_RECENTLY_CREATED: 'unavailable',
  RESOURCE_EXHAUSTED: 'throttled',
  RATE_LIMIT_EXCEEDED: 'throttled',
};

const meaningOfGoogleReason = (reason: string): CodeMeaning | undefined => {
  if (Object.hasOwn(table, reason)) return table[reason];
  return reason.endsWith('_TERMS_NOT_SIGNED') ? remedies.terms : undefined;
};

// least harmful first: rejected events are lost, a rejected connection (`refused`) waits for the operator
const leastHarmfulFirst: readonly Failure[] = ['throttled', 'unavailable', 'refused'];

/**
 * The combined meaning of the reasons of an error. `undefined` if none of them says more than the HTTP status: most
 * describe an invalid event.
 */
export const verdictOfGoogleReasons = (reasons: readonly string[]): Failure | undefined => {
  const known = new Set(reasons.map((reason) => verdictOf(meaningOfGoogleReason(reason))));
  return leastHarmfulFirst.find((verdict) => known.has(verdict));
};

/** Whether the account may not use personal data; clicks are accepted nevertheless. */
export const forbidsUserData = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => meaningOfGoogleReason(reason) === remedies.userData);

export const googleCodes: Codes = {
  table,
  // a reason begins with Google's code (`invalid_grant`, `PERMISSION_DENIED`)
  meaningOf: (reason) => meaningOfGoogleReason(/^\w+(?=:)/.exec(reason)?.[0] ?? ''),
  otherRemedy: remedies.other,
};
