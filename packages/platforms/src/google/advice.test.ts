import { describe, expect, it } from 'vitest';
import { remedyForGoogle } from './advice.ts';
import { refusingReasons } from './refusals.ts';

const anyId = ['customerId', 'loginCustomerId'];

describe("a refusal of Google's", () => {
  it.each([
    ['invalid_grant: Token has been expired or revoked.', 'Sign in anew', ['refreshToken']],
    ['invalid_client: ', 'OAuth client or its secret', ['clientId', 'clientSecret', 'refreshToken']],
    ['service_account_invalid_grant: Invalid JWT Signature.', 'Create a new key', ['serviceAccount']],
    ['SOME_NEW_TERMS_NOT_SIGNED: x', 'Accept the customer data terms', []],
    ['OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH: x', 'not the right one', anyId],
    ['INVALID_CONVERSION_ACTION_ID: x', 'Import from clicks', ['conversionActionId']],
    ['SERVICE_DISABLED: x', 'Turn on the Data Manager API', []],
  ])('for the reason "%s" can be mended', (reason, words, change) => {
    expect(remedyForGoogle(reason)).toEqual({ words: expect.stringContaining(words), change });
  });

  it.each([
    ['UNAUTHENTICATED: Expected OAuth 2 access token', 'If it has a service account', []],
    ['ACCESS_TOKEN_SCOPE_INSUFFICIENT: x', 'If the connection has a refresh token', []],
    ['PERMISSION_DENIED: The caller has no permission', 'of a service account its e-mail address', anyId],
    ['NEVER_HEARD_OF: x', 'words that we do not know', ['customerId', 'conversionActionId']],
    ['403: x', 'words that we do not know', ['customerId', 'conversionActionId']],
  ])('for the reason "%s" can be mended with either kind of credentials', (reason, words, change) => {
    const credentials = ['refreshToken', 'serviceAccount'];
    expect(remedyForGoogle(reason)).toEqual({ words: expect.stringContaining(words), change, credentials });
  });

  it.each(refusingReasons)('for the reason %s has advice of its own', (reason) => {
    expect(remedyForGoogle(`${reason}: words`).words).not.toContain('words that we do not know');
  });
});
