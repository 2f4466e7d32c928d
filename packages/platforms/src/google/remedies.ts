import type { Remedy } from '../exchange.ts';

// a rejected access token does not show which kind of credentials it was issued for
const eitherKind = ['refreshToken', 'serviceAccount'];

const atGoogle = (words: string): Remedy => ({ words, change: [] });

export const consentAgain: Remedy = {
  words:
    'The refresh token has expired or was revoked, for example by a password change. Sign in again with the scope https://www.googleapis.com/auth/datamanager. While the consent screen of the project is in "Testing", refresh tokens expire after seven days.',
  change: ['refreshToken'],
};
export const accessToken: Remedy = {
  words:
    'Google issues an access token for these credentials, but rejects it for the Data Manager API. If the connection has a refresh token: sign in again with the scope https://www.googleapis.com/auth/datamanager. If it has a service account: check that the account is not disabled, and create a new key for it in the Google Cloud console (IAM, Service accounts, Keys).',
  change: [],
  credentials: eitherKind,
};
export const oauthClient: Remedy = {
  words:
    'The OAuth client or its secret is not valid, or the refresh token was issued to another client. Compare all three with the credentials page of the Google Cloud project.',
  change: ['clientId', 'clientSecret', 'refreshToken'],
};
export const serviceAccountKey: Remedy = {
  words:
    'Google rejects the service account key: the key or the service account was deleted or disabled, or the clock of this machine is wrong. Create a new key for the service account in the Google Cloud console (IAM, Service accounts, Keys).',
  change: ['serviceAccount'],
};
export const access: Remedy = {
  words:
    'The user who granted the refresh token, or the service account, has no access to this Google Ads account. Grant access in Google Ads (Admin, Access and security; add a service account by its email address). If access exists through a manager account, set that account as loginCustomerId.',
  change: ['customerId', 'loginCustomerId'],
  credentials: eitherKind,
};
export const account: Remedy = {
  words:
    'The Google Ads account is wrong, or this manager account has no access to it. Set the account that owns the conversion action.',
  change: ['customerId', 'loginCustomerId'],
};
export const conversionAction: Remedy = {
  words:
    'The conversion action does not exist in this account, or is of a type that accepts no imported conversions. Create one of the type "Import from clicks", and copy its id (ctId) from its URL in Google Ads.',
  change: ['conversionActionId'],
};
export const api = atGoogle(
  'Enable the Data Manager API in the Google Cloud project of the OAuth client or the service account.',
);
export const allowlist = atGoogle('Google must allow this account to use the feature. Request it from Google support.');
export const terms = atGoogle('Accept the customer data terms in Google Ads (Goals, Settings).');
export const politicalAds = atGoogle(
  'Google takes no conversions of this account until it declares whether it has political ads in the European Union. Declare it in the account settings of Google Ads.',
);
export const link: Remedy = {
  words:
    'Google takes no conversions until two of its accounts are linked: the one that sends (customer id, login customer id) and the one that owns the conversion action. Link them in Google Ads (Admin, Linked accounts).',
  change: ['customerId', 'loginCustomerId'],
};
export const eventSource: Remedy = {
  words:
    'The conversion action takes conversions of another source, such as a shop or an app, but not of the web. Create one of the type "Import from clicks", and copy its id (ctId) from its URL in Google Ads.',
  change: ['conversionActionId'],
};
export const advertiserConsent = atGoogle(
  'The advertiser has not consented that this data is used in Google services, so Google uses no conversion of the account. Visitors and their consent are not the cause. Give the consent in the settings of the account in Google Ads, then resume the connection.',
);
export const userData = atGoogle(
  'This account may not use personal data, so only conversions with a click id can be reported. Turn on enhanced conversions for leads in Google Ads (Goals, Settings) and accept its terms.',
);
export const other: Remedy = {
  words:
    'Google rejects the connection for an unknown reason. Read the error message and check the account in Google Ads.',
  change: ['customerId', 'conversionActionId'],
  credentials: eitherKind,
};
