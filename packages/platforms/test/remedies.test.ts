import { languages, type PlatformName, platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { isRemedy } from '../src/exchange.ts';
import { platformRegistry, type Words } from '../src/index.ts';

/** A stored reason, words of the remedy, what to enter again, and the kinds of credentials of which one is. */
type Case = readonly [reason: string, words: string, change: readonly string[], credentials?: readonly string[]];

const googleIds = ['customerId', 'loginCustomerId'];
const googleKinds = ['refreshToken', 'serviceAccount'];
const linkedinKinds = ['accessToken', 'refreshToken'];
const oauthClient = ['clientId', 'clientSecret', 'refreshToken'];

const cases: Readonly<Record<PlatformName, readonly Case[]>> = {
  google: [
    ['invalid_grant: Token has been expired or revoked.', 'Sign in again', ['refreshToken']],
    ['invalid_client: ', 'OAuth client or its secret', oauthClient],
    ['service_account_invalid_grant: Invalid JWT Signature.', 'Create a new key', ['serviceAccount']],
    ['SOME_NEW_TERMS_NOT_SIGNED: x', 'Accept the customer data terms', []],
    ['OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH: x', 'account is wrong', googleIds],
    ['INVALID_CONVERSION_ACTION_ID: x', 'Import from clicks', ['conversionActionId']],
    ['SERVICE_DISABLED: x', 'Enable the Data Manager API', []],
    ['EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED: x', 'political ads', []],
    ['REQUIRED_PREREQUISITE_LINK_MISSING: x', 'Link them', googleIds],
    ['EVENT_SOURCE_AND_DESTINATION_MISMATCH: x', 'Import from clicks', ['conversionActionId']],
    ['NO_CONSENT: Google accepted a request but used none of its events', 'Visitors and their consent are not', []],
    ['UNAUTHENTICATED: Expected OAuth 2 access token', 'If it has a service account', [], googleKinds],
    ['ACCESS_TOKEN_SCOPE_INSUFFICIENT: x', 'If the connection has a refresh token', [], googleKinds],
    ['PERMISSION_DENIED: The caller has no permission', 'by its email address', googleIds, googleKinds],
    ['NEVER_HEARD_OF: x', 'unknown reason', ['customerId', 'conversionActionId'], googleKinds],
    ['403: x', 'unknown reason', ['customerId', 'conversionActionId'], googleKinds],
  ],
  linkedin: [
    ['REVOKED_ACCESS_TOKEN: words', 'Sign in again', [], linkedinKinds],
    ['401: Empty oauth2 access token', 'Sign in again', [], linkedinKinds],
    ['403: No ad accounts found', 'no conversion rule with this id', ['conversionRuleId'], linkedinKinds],
    ['NONEXISTENT_VERSION: Requested version 20250401 is not active', 'Upgrade Leadback', []],
    [
      "400: Incorrect conversions information provided. Conversion's method should be CONVERSIONS_API",
      'does not take events of the Conversions API',
      ['conversionRuleId'],
    ],
    ['invalid_grant: words', 'refresh token has expired', ['refreshToken']],
    ['invalid_client: words', 'app or its secret', oauthClient],
    ['418: never heard of', 'unknown reason', ['conversionRuleId'], linkedinKinds],
  ],
  meta: [
    ['190: Invalid OAuth access token', 'Generate a new one', ['accessToken']],
    ['190/463: Session has expired', 'Generate a new one', ['accessToken']],
    ['104: Incorrect signature', 'appsecret_proof', ['appSecret']],
    ['100: Invalid appsecret_proof provided in the API argument', 'secret of that same app', ['appSecret']],
    ['2635: You are calling a deprecated version of the Ads API', 'Upgrade Leadback', []],
    ['200: Permissions error', 'may not send events to this data set', ['accessToken']],
    ['10: Application does not have permission', 'may not send events to this data set', ['accessToken']],
    ['100/33: Object does not exist', 'no data set (pixel) with this id', ['pixelId', 'accessToken']],
    ['987654: never heard of', 'unknown reason', ['pixelId', 'accessToken']],
    ['words without a code', 'unknown reason', ['pixelId', 'accessToken']],
  ],
  microsoft: [
    ['105: InvalidCredentials: words', 'developer token', ['developerToken', 'refreshToken']],
    ['106: UserIsNotAuthorized: words', 'may not use this account', ['customerId', 'adAccountId', 'refreshToken']],
    ['5606: OfflineConversionNameInvalid: words', 'no conversion goal of this name', ['conversionName']],
    ['5613: OfflineConversionPilotNotEnabledForCustomer: words', 'Ask its support', []],
    ['invalid_grant: AADSTS70008: words', 'refresh token has expired', ['refreshToken']],
    ['invalid_client: AADSTS7000215: words', 'app or its secret', oauthClient],
    ['99999: words', 'unknown reason', ['customerId', 'adAccountId', 'conversionName']],
    ['constructor: words', 'unknown reason', ['customerId', 'adAccountId', 'conversionName']],
  ],
  tiktok: [
    ['40105: Access token is incorrect or has been revoked.', 'Generate a new one', ['accessToken']],
    ['40102: Access token has expired.', 'Generate a new one', ['accessToken']],
    ['40001: No permission to operate pixel', 'may not send events to this pixel', ['pixelCode', 'accessToken']],
    ['40007: The pixel does not exist.', 'no pixel with this code', ['pixelCode', 'accessToken']],
    ['40999: never heard of', 'unknown reason', ['pixelCode', 'accessToken']],
  ],
};

const platforms = platformRegistry({});

/** Those whose text is missing in a language, or is that of another. */
const untranslated = (all: readonly Words[]) =>
  all.filter((words) => {
    const texts = languages.map((language) => words[language]);
    return texts.some((text) => text.trim() === '') || new Set(texts).size < languages.length;
  });

describe.each(platformNames)('the remedy for a rejection by %s', (name) => {
  it('is written in every language of the console for each code, and so is what a rejected check means', () => {
    const { table, otherRemedy, rejectedChecks = {} } = platforms[name].codes;
    const remedies = [...Object.values(table), otherRemedy].filter(isRemedy);
    expect(remedies.length).toBeGreaterThan(1);
    expect(untranslated([...remedies.map(({ words }) => words), ...Object.values(rejectedChecks)])).toEqual([]);
  });

  it.each(cases[name].map((one) => [one[0], one] as const))(
    'names the fix for the reason "%s"',
    (_, [reason, words, change, credentials]) => {
      expect(platforms[name].remedyFor(reason)).toEqual({
        words: expect.objectContaining({ en: expect.stringContaining(words) }),
        change,
        ...(credentials && { credentials }),
      });
    },
  );
});
