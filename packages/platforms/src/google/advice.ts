import type { Mending } from '../platform.ts';

const consentAgain: Mending = {
  words:
    'The refresh token has expired or was revoked, or somebody changed the password behind it. Sign in anew with the scope https://www.googleapis.com/auth/datamanager (while the consent screen of the project is in "Testing", tokens live for seven days).',
  change: ['refreshToken'],
};

const oauthClient: Mending = {
  words:
    'Google does not know the OAuth client or its secret, or the refresh token was granted to another client. Compare all three with the credentials page of the Google Cloud project.',
  change: ['clientId', 'clientSecret', 'refreshToken'],
};

const access: Mending = {
  words:
    'Whoever granted the refresh token has no access to this Google Ads account. Give them access in Google Ads (Admin, Access and security); where access exists through a manager account, name that one.',
  change: ['customerId', 'loginCustomerId', 'refreshToken'],
};

const account: Mending = {
  words:
    'The Google Ads account is not the right one, or cannot be reached through this manager account. It has to be the account that owns the conversion action.',
  change: ['customerId', 'loginCustomerId'],
};

const conversionAction: Mending = {
  words:
    'The conversion action does not exist in this account, or is of a type that takes no conversions from us. Make one of the type "Import from clicks", and take its id (ctId) from its address in Google Ads.',
  change: ['conversionActionId'],
};

const atGoogle = (words: string): Mending => ({ words, change: [] });

const enhancedConversions = atGoogle(
  'This account may not use personal data, and so only conversions with a click id can be reported. Turn on enhanced conversions for leads in Google Ads (Goals, Settings) and accept its terms.',
);

const other: Mending = {
  words: 'Google refuses the connection in words that we do not know. See what they say.',
  change: ['customerId', 'conversionActionId', 'refreshToken'],
};

const mendings: ReadonlyMap<string, Mending> = new Map([
  ['invalid_grant', consentAgain],
  ['UNAUTHENTICATED', consentAgain],
  ['ACCESS_TOKEN_INVALID', consentAgain],
  ['ACCESS_TOKEN_EXPIRED', consentAgain],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', consentAgain],
  ['invalid_client', oauthClient],
  ['unauthorized_client', oauthClient],
  ['PERMISSION_DENIED', access],
  ['INVALID_DESTINATION', account],
  ['OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH', account],
  ['DESTINATION_ACCOUNT_TYPE_MISMATCH', account],
  ['INVALID_CONVERSION_ACTION_ID', conversionAction],
  ['INVALID_CONVERSION_ACTION_TYPE', conversionAction],
  ['SERVICE_DISABLED', atGoogle('Turn on the Data Manager API in the Google Cloud project of the OAuth client.')],
  ['NOT_ALLOWLISTED', atGoogle('Google has to allow this account to use the feature: ask its support for it.')],
  ['TERMS_AND_CONDITIONS_NOT_SIGNED', atGoogle('Accept the customer data terms in Google Ads (Goals, Settings).')],
  ['DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS', enhancedConversions],
  ['DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED', enhancedConversions],
  ['DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS', enhancedConversions],
]);

/** What is to be done about a refusal, by Google's word (`invalid_grant`, `PERMISSION_DENIED`) that its reason begins with. */
export const mendGoogle = (reason: string): Mending => mendings.get(/^\w+(?=:)/.exec(reason)?.[0] ?? '') ?? other;
