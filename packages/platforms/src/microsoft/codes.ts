import type { CodeMeaning, Codes, Remedy } from '../codes.ts';

const login: Remedy = {
  words:
    'Microsoft rejects the credentials: the developer token is not valid for production, or the user who signed in has no access to Microsoft Advertising or must use another kind of account. Check the developer token at developers.ads.microsoft.com, and sign in again with the scope https://ads.microsoft.com/msads.manage.',
  change: ['developerToken', 'refreshToken'],
};
const access: Remedy = {
  words:
    'The user who granted the refresh token may not use this account. Compare both ids with the URL of Microsoft Advertising (cid, aid), and grant the user access to the account (Settings, Account access).',
  change: ['customerId', 'adAccountId', 'refreshToken'],
};
const goal: Remedy = {
  words:
    'There is no conversion goal of this name that takes offline conversions. Create one in Microsoft Advertising (Conversions, Conversion goals, Offline conversions), and set its exact name.',
  change: ['conversionName'],
};
const feature: Remedy = {
  words: 'Microsoft Advertising has not enabled offline conversions for this customer. Ask its support to enable them.',
  change: [],
};
const version: Remedy = {
  words:
    'Microsoft has retired the version of the API that this release uses. The credentials are valid. Upgrade Leadback.',
  change: [],
};
const signIn: Remedy = {
  words:
    'The refresh token has expired (it lasts 90 days), was revoked, for example by a password change, or lacks consent. Sign in again with the scopes https://ads.microsoft.com/msads.manage and offline_access.',
  change: ['refreshToken'],
};
const app: Remedy = {
  words:
    'The app or its secret is not valid, or the refresh token was issued to another app. Compare all three with the app in Microsoft Entra (App registrations).',
  change: ['clientId', 'clientSecret', 'refreshToken'],
};

const each = (codes: readonly number[], meaning: CodeMeaning) =>
  Object.fromEntries(codes.map((code) => [code, meaning]));

/** AuthenticationTokenExpired. */
export const expiredTokenCode = 109;
/** OfflineConversionNotAcceptedForGoal: the goal is younger than two hours. */
export const newGoalCode = 5615;
/** FutureConversionTimeCannotBeSet: Microsoft's clock is behind ours. */
export const futureTimeCode = 5614;
/** OfflineConversionTimeOutOfWindow: more than 90 days ago. */
export const oldTimeCode = 5609;

// "Operation error codes" of the Bing Ads API: https://learn.microsoft.com/advertising/guides/operation-error-codes
const table: Codes['table'] = {
  ...each([105, 108, expiredTokenCode, 120, 122, 123, 124, 125], login),
  ...each([106, 116, 208], access),
  303: version,
  5606: goal, // OfflineConversionNameInvalid
  5613: feature, // OfflineConversionPilotNotEnabledForCustomer
  117: 'throttled', // CallRateExceeded
  ...each([0, 202, 5612, futureTimeCode, newGoalCode], 'unavailable'),
  ...each([100, 113, 201, 203, 206], 'rejected'),
  ...each([5600, 5601, 5602, 5603, 5604, 5605, 5607, 5608, oldTimeCode, 5610, 5611, 5616, 5617], 'rejected'),
  invalid_grant: signIn,
  interaction_required: signIn,
  consent_required: signIn,
  invalid_client: app,
  unauthorized_client: app,
};

/** The meaning of an error code; `undefined` for an undocumented one. */
export const meaningOfMicrosoftCode = (code: number): CodeMeaning | undefined => table[code];

export const microsoftCodes: Codes = {
  table,
  // a reason begins with the number (`5606`), or with the error of the token endpoint
  meaningOf: (reason) => {
    const code = /^\w+(?=:)/.exec(reason)?.[0] ?? '';
    return Object.hasOwn(table, code) ? table[code] : undefined;
  },
  otherRemedy: {
    words:
      'Microsoft Advertising rejects the connection for an unknown reason. Read the error message and check the account and its conversion goal.',
    change: ['customerId', 'adAccountId', 'conversionName'],
  },
  // OfflineConversionMicrosoftClickIdNullOrEmpty
  rejectedChecks: {
    5603: 'The check has no click id, and the conversion goal takes no conversion without one. Conversions with a click id are accepted. To report the others by email and phone number too, turn on enhanced conversions for the goal.',
  },
};
