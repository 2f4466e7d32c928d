import { describe, expect, it } from 'vitest';
import { microsoftPlatform } from './index.ts';

const app = ['clientId', 'clientSecret', 'refreshToken'];

describe('remedies for rejections by Microsoft Advertising', () => {
  it.each([
    ['105: InvalidCredentials: words', 'developer token', ['developerToken', 'refreshToken']],
    ['106: UserIsNotAuthorized: words', 'may not use this account', ['customerId', 'adAccountId', 'refreshToken']],
    ['5606: OfflineConversionNameInvalid: words', 'no conversion goal of this name', ['conversionName']],
    ['5613: OfflineConversionPilotNotEnabledForCustomer: words', 'Ask its support', []],
    ['invalid_grant: AADSTS70008: words', 'refresh token has expired', ['refreshToken']],
    ['invalid_client: AADSTS7000215: words', 'app or its secret', app],
    ['99999: words', 'unknown reason', ['customerId', 'adAccountId', 'conversionName']],
    ['constructor: words', 'unknown reason', ['customerId', 'adAccountId', 'conversionName']],
  ])('names the fix for the reason "%s"', (reason, words, change) => {
    expect(microsoftPlatform.remedyFor(reason)).toEqual({ words: expect.stringContaining(words), change });
  });
});
