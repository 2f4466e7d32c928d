import { describe, expect, it } from 'vitest';
import { googlePlatform } from './index.ts';

const anyId = ['customerId', 'loginCustomerId'];

describe('remedies for rejections by Google', () => {
  it.each([
    ['invalid_grant: Token has been expired or revoked.', 'Sign in again', ['refreshToken']],
    ['invalid_client: ', 'OAuth client or its secret', ['clientId', 'clientSecret', 'refreshToken']],
    ['service_account_invalid_grant: Invalid JWT Signature.', 'Create a new key', ['serviceAccount']],
    ['SOME_NEW_TERMS_NOT_SIGNED: x', 'Accept the customer data terms', []],
    ['OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH: x', 'account is wrong', anyId],
    ['INVALID_CONVERSION_ACTION_ID: x', 'Import from clicks', ['conversionActionId']],
    ['SERVICE_DISABLED: x', 'Enable the Data Manager API', []],
    ['EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED: x', 'political ads', []],
    ['REQUIRED_PREREQUISITE_LINK_MISSING: x', 'Link them', anyId],
    ['EVENT_SOURCE_AND_DESTINATION_MISMATCH: x', 'Import from clicks', ['conversionActionId']],
    ['NO_CONSENT: Google accepted a request but used none of its events', 'Visitors and their consent are not', []],
  ])('names the fix for the reason "%s"', (reason, words, change) => {
    expect(googlePlatform.remedyFor(reason)).toEqual({ words: expect.stringContaining(words), change });
  });

  it.each([
    ['UNAUTHENTICATED: Expected OAuth 2 access token', 'If it has a service account', []],
    ['ACCESS_TOKEN_SCOPE_INSUFFICIENT: x', 'If the connection has a refresh token', []],
    ['PERMISSION_DENIED: The caller has no permission', 'by its email address', anyId],
    ['NEVER_HEARD_OF: x', 'unknown reason', ['customerId', 'conversionActionId']],
    ['403: x', 'unknown reason', ['customerId', 'conversionActionId']],
  ])('names the fix for the reason "%s" with either kind of credentials', (reason, words, change) => {
    const credentials = ['refreshToken', 'serviceAccount'];
    expect(googlePlatform.remedyFor(reason)).toEqual({ words: expect.stringContaining(words), change, credentials });
  });
});
