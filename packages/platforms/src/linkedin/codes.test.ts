import { describe, expect, it } from 'vitest';
import { linkedinPlatform } from './index.ts';

const eitherKind = ['accessToken', 'refreshToken'];

describe('remedies for rejections by LinkedIn', () => {
  it.each([
    ['REVOKED_ACCESS_TOKEN: words', 'Sign in again', [], eitherKind],
    ['401: Empty oauth2 access token', 'Sign in again', [], eitherKind],
    ['403: No ad accounts found', 'no conversion rule with this id', ['conversionRuleId'], eitherKind],
    ['NONEXISTENT_VERSION: Requested version 20250401 is not active', 'Upgrade Leadback', [], undefined],
    [
      "400: Incorrect conversions information provided. Conversion's method should be CONVERSIONS_API",
      'does not take events of the Conversions API',
      ['conversionRuleId'],
      undefined,
    ],
    ['invalid_grant: words', 'refresh token has expired', ['refreshToken'], undefined],
    ['invalid_client: words', 'app or its secret', ['clientId', 'clientSecret', 'refreshToken'], undefined],
    ['418: never heard of', 'unknown reason', ['conversionRuleId'], eitherKind],
  ])('names the fix for the reason "%s"', (reason, words, change, credentials) => {
    expect(linkedinPlatform.remedyFor(reason)).toEqual({
      words: expect.stringContaining(words),
      change,
      ...(credentials && { credentials }),
    });
  });
});
