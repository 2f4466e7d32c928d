import type { Remedy } from '../platform.ts';
import { type GoogleRefusal, googleRefusal } from './refusals.ts';

// a rejected access token does not show which kind of credentials it was issued for
const eitherKind = ['refreshToken', 'serviceAccount'];

const atGoogle = (words: string): Remedy => ({ words, change: [] });

const advice: Readonly<Record<GoogleRefusal, Remedy>> = {
  consentAgain: {
    words:
      'The refresh token has expired or was revoked, for example by a password change. Sign in again with the scope https://www.googleapis.com/auth/datamanager. While the consent screen of the project is in "Testing", refresh tokens expire after seven days.',
    change: ['refreshToken'],
  },
  accessToken: {
    words:
      'Google issues an access token for these credentials, but rejects it for the Data Manager API. If the connection has a refresh token: sign in again with the scope https://www.googleapis.com/auth/datamanager. If it has a service account: check that the account is not disabled, and create a new key for it in the Google Cloud console (IAM, Service accounts, Keys).',
    change: [],
    credentials: eitherKind,
  },
  oauthClient: {
    words:
      'The OAuth client or its secret is not valid, or the refresh token was issued to another client. Compare all three with the credentials page of the Google Cloud project.',
    change: ['clientId', 'clientSecret', 'refreshToken'],
  },
  serviceAccountKey: {
    words:
      'Google rejects the service account key: the key or the service account was deleted or disabled, or the clock of this machine is wrong. Create a new key for the service account in the Google Cloud console (IAM, Service accounts, Keys).',
    change: ['serviceAccount'],
  },
  access: {
    words:
      'The user who granted the refresh token, or the service account, has no access to this Google Ads account. Grant access in Google Ads (Admin, Access and security; add a service account by its email address). If access exists through a manager account, set that account as loginCustomerId.',
    change: ['customerId', 'loginCustomerId'],
    credentials: eitherKind,
  },
  account: {
    words:
      'The Google Ads account is wrong, or this manager account has no access to it. Set the account that owns the conversion action.',
    change: ['customerId', 'loginCustomerId'],
  },
  conversionAction: {
    words:
      'The conversion action does not exist in this account, or is of a type that accepts no imported conversions. Create one of the type "Import from clicks", and copy its id (ctId) from its URL in Google Ads.',
    change: ['conversionActionId'],
  },
  api: atGoogle('Enable the Data Manager API in the Google Cloud project of the OAuth client or the service account.'),
  allowlist: atGoogle('Google must allow this account to use the feature. Request it from Google support.'),
  terms: atGoogle('Accept the customer data terms in Google Ads (Goals, Settings).'),
  userData: atGoogle(
    'This account may not use personal data, so only conversions with a click id can be reported. Turn on enhanced conversions for leads in Google Ads (Goals, Settings) and accept its terms.',
  ),
};

const other: Remedy = {
  words:
    'Google rejects the connection for an unknown reason. Read the error message and check the account in Google Ads.',
  change: ['customerId', 'conversionActionId'],
  credentials: eitherKind,
};

/** `reason` begins with Google's error code (`invalid_grant`, `PERMISSION_DENIED`), which selects the remedy. */
export const remedyForGoogle = (reason: string): Remedy => {
  const refusal = googleRefusal(/^\w+(?=:)/.exec(reason)?.[0] ?? '');
  return refusal === undefined ? other : advice[refusal];
};
