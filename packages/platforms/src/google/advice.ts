import type { Remedy } from '../platform.ts';
import { type GoogleRefusal, googleRefusal } from './refusals.ts';

// what is refused after the token endpoint has given an access token does not tell which kind it was given for
const eitherKind = ['refreshToken', 'serviceAccount'];

const atGoogle = (words: string): Remedy => ({ words, change: [] });

const advice: Readonly<Record<GoogleRefusal, Remedy>> = {
  consentAgain: {
    words:
      'The refresh token has expired or was revoked, or somebody changed the password behind it. Sign in anew with the scope https://www.googleapis.com/auth/datamanager (while the consent screen of the project is in "Testing", tokens live for seven days).',
    change: ['refreshToken'],
  },
  accessToken: {
    words:
      'Google gives an access token for these credentials, but does not accept it for the Data Manager API. If the connection has a refresh token: sign in anew with the scope https://www.googleapis.com/auth/datamanager. If it has a service account: see that the account is not disabled, and create a new key for it in the Google Cloud console (IAM, Service accounts, Keys).',
    change: [],
    credentials: eitherKind,
  },
  oauthClient: {
    words:
      'Google does not know the OAuth client or its secret, or the refresh token was granted to another client. Compare all three with the credentials page of the Google Cloud project.',
    change: ['clientId', 'clientSecret', 'refreshToken'],
  },
  serviceAccountKey: {
    words:
      'Google does not accept the service account key: the key or the service account was deleted or disabled, or the clock of this machine is wrong. Create a new key for the service account in the Google Cloud console (IAM, Service accounts, Keys).',
    change: ['serviceAccount'],
  },
  access: {
    words:
      'Whoever granted the refresh token, or the service account, has no access to this Google Ads account. Give them access in Google Ads (Admin, Access and security; of a service account its e-mail address); where access exists through a manager account, name that one.',
    change: ['customerId', 'loginCustomerId'],
    credentials: eitherKind,
  },
  account: {
    words:
      'The Google Ads account is not the right one, or cannot be reached through this manager account. It has to be the account that owns the conversion action.',
    change: ['customerId', 'loginCustomerId'],
  },
  conversionAction: {
    words:
      'The conversion action does not exist in this account, or is of a type that takes no conversions from us. Make one of the type "Import from clicks", and take its id (ctId) from its address in Google Ads.',
    change: ['conversionActionId'],
  },
  api: atGoogle('Turn on the Data Manager API in the Google Cloud project of the OAuth client or the service account.'),
  allowlist: atGoogle('Google has to allow this account to use the feature: ask its support for it.'),
  terms: atGoogle('Accept the customer data terms in Google Ads (Goals, Settings).'),
  userData: atGoogle(
    'This account may not use personal data, and so only conversions with a click id can be reported. Turn on enhanced conversions for leads in Google Ads (Goals, Settings) and accept its terms.',
  ),
};

const other: Remedy = {
  words: 'Google refuses the connection in words that we do not know. See what they say.',
  change: ['customerId', 'conversionActionId'],
  credentials: eitherKind,
};

/** What is to be done about a refusal, by Google's word (`invalid_grant`, `PERMISSION_DENIED`) that its reason begins with. */
export const remedyForGoogle = (reason: string): Remedy => {
  const refusal = googleRefusal(/^\w+(?=:)/.exec(reason)?.[0] ?? '');
  return refusal === undefined ? other : advice[refusal];
};
