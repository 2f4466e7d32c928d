/** Why Google rejects a connection. Each cause has its own remedy. */
export type GoogleRefusal =
  | 'consentAgain'
  | 'accessToken'
  | 'oauthClient'
  | 'serviceAccountKey'
  | 'access'
  | 'account'
  | 'conversionAction'
  | 'api'
  | 'allowlist'
  | 'terms'
  | 'userData';

const serviceAccountPrefix = 'service_account_';

/** The permanent errors of the token endpoint, whatever the HTTP status. */
export const lastingTokenErrors: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

/**
 * The reason for an error of the token endpoint. For service accounts the same errors have another meaning, hence the
 * prefix.
 */
export const tokenErrorReason = (error: string, isServiceAccount: boolean): string =>
  isServiceAccount ? serviceAccountPrefix + error : error;

const refusals: ReadonlyMap<string, GoogleRefusal> = new Map([
  ['invalid_grant', 'consentAgain'],
  ['UNAUTHENTICATED', 'accessToken'],
  ['ACCESS_TOKEN_INVALID', 'accessToken'],
  ['ACCESS_TOKEN_EXPIRED', 'accessToken'],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'accessToken'],
  ['invalid_client', 'oauthClient'],
  ['unauthorized_client', 'oauthClient'],
  ...lastingTokenErrors.map((error) => [serviceAccountPrefix + error, 'serviceAccountKey'] as const),
  ['PERMISSION_DENIED', 'access'],
  ['INVALID_DESTINATION', 'account'],
  ['OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH', 'account'],
  ['DESTINATION_ACCOUNT_TYPE_MISMATCH', 'account'],
  ['INVALID_CONVERSION_ACTION_ID', 'conversionAction'],
  ['INVALID_CONVERSION_ACTION_TYPE', 'conversionAction'],
  ['SERVICE_DISABLED', 'api'],
  ['NOT_ALLOWLISTED', 'allowlist'],
  ['TERMS_AND_CONDITIONS_NOT_SIGNED', 'terms'],
  // the account may not use personal data; clicks are accepted nevertheless
  ['DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS', 'userData'],
  ['DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED', 'userData'],
  ['DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS', 'userData'],
] as const);

/** Every reason that rejects a connection. */
export const refusingReasons: readonly string[] = [...refusals.keys()];

/** Why a connection is rejected for this reason; `undefined` for reasons that do not concern the connection. */
export const googleRefusal = (reason: string): GoogleRefusal | undefined =>
  refusals.get(reason) ?? (reason.endsWith('_TERMS_NOT_SIGNED') ? 'terms' : undefined);
