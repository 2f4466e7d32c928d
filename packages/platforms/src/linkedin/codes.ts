import type { CodeMeaning, Codes, Remedy } from '../codes.ts';

const eitherKind = ['accessToken', 'refreshToken'];

const token: Remedy = {
  words:
    'The access token is not valid: it has expired (access tokens last 60 days), was revoked, or is incomplete. Sign in again with the scope rw_conversions, as a member who manages the ad account, and enter the new token.',
  change: [],
  credentials: eitherKind,
};
const access: Remedy = {
  words:
    'There is no conversion rule with this id, or the member of the token may not use its ad account: LinkedIn says the same for both ("No ad accounts found"). Compare the id with Campaign Manager, and check that the member is an account manager, campaign manager, creative manager or billing admin of the ad account, and that the token has the scope rw_conversions.',
  change: ['conversionRuleId'],
  credentials: eitherKind,
};
const method: Remedy = {
  words:
    'The conversion rule does not take events of the Conversions API. Create a conversion in Campaign Manager (Measurement, Conversion tracking) with "Conversions API" as its source, and use the id of that one.',
  change: ['conversionRuleId'],
};
const version: Remedy = {
  words:
    'LinkedIn has retired the version of the API that this installation uses (LINKEDIN_API_VERSION). The credentials are valid. Upgrade Leadback, or set a version that LinkedIn still supports, and restart feedback-worker.',
  change: [],
};
const app: Remedy = {
  words:
    'The app or its secret is not valid, or the refresh token was issued to another app. Compare all three with the app at developers.linkedin.com.',
  change: ['clientId', 'clientSecret', 'refreshToken'],
};
const signIn: Remedy = {
  words:
    'The refresh token has expired (it lasts a year) or was revoked. Sign in again with the scope rw_conversions, as a member who manages the ad account.',
  change: ['refreshToken'],
};

const wrongMethod = '400 Incorrect conversions information provided';

// a code, else the HTTP status; or a status with the beginning of its message
const table: Codes['table'] = {
  INVALID_ACCESS_TOKEN: token,
  REVOKED_ACCESS_TOKEN: token,
  EXPIRED_ACCESS_TOKEN: token,
  401: token,
  403: access,
  VERSION_MISSING: version,
  NONEXISTENT_VERSION: version,
  426: version,
  [wrongMethod]: method,
  invalid_grant: signIn,
  invalid_request: signIn, // of the token endpoint
  invalid_client: app,
  unauthorized_client: app,
  400: 'rejected',
  413: 'rejected',
  422: 'rejected',
  429: 'throttled',
};

/** What distinguishes LinkedIn's errors. */
export interface LinkedInCode {
  readonly status: number;
  readonly code?: string | undefined;
}

/**
 * The code of the reason: LinkedIn's own if its meaning is known, else the status. Sources: "API error handling" and
 * "Versioning" of the marketing API, rudder-transformer `linkedin_ads`.
 */
export const reasonCodeOf = ({ status, code }: LinkedInCode): string =>
  code !== undefined && Object.hasOwn(table, code) ? code : String(status);

/**
 * The meaning of an error; `undefined` for an undocumented one. The message is compared only at its beginning, because
 * the rest may quote what was sent.
 */
export const meaningOfLinkedInError = (reasonCode: string, message: string): CodeMeaning | undefined => {
  if (`${reasonCode} ${message}`.startsWith(wrongMethod)) return table[wrongMethod];
  return Object.hasOwn(table, reasonCode) ? table[reasonCode] : undefined;
};

export const linkedinCodes: Codes = {
  table,
  meaningOf: (reason) => {
    const [, code = '', message = ''] = /^(\w+): (.*)/s.exec(reason) ?? [];
    return meaningOfLinkedInError(code, message);
  },
  otherRemedy: {
    words:
      'LinkedIn rejects the connection for an unknown reason. Read the error message and check the conversion rule in Campaign Manager.',
    change: ['conversionRuleId'],
    credentials: eitherKind,
  },
};
