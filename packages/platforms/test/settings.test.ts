import { type PlatformName, platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';

const platforms = platformRegistry({});

interface Cases {
  /** As somebody may write them, and as they are stored. */
  readonly settings: readonly (readonly [written: object, stored: object])[];
  /** The field that is named, and what the message says of it. */
  readonly wrong: readonly (readonly [settings: object, field: string, words: string])[];
  readonly credentials: readonly (readonly [written: object, stored: object])[];
  readonly wrongCredentials: readonly (readonly [credentials: object, field: string])[];
}

const app = { clientId: 'app', clientSecret: 'secret', refreshToken: 'refresh' };
const named = { eventName: 'Purchase', leadEventName: 'Lead' };
const google = { customerId: '1234567890', conversionActionId: '1' };
const microsoft = { customerId: '24601', adAccountId: '8675309', conversionName: 'Sale' };
const microsoftCredentials = { developerToken: 'developer', ...app };

const rule = 'expected the digits of the conversion rule';
const noTokens = ['', 'two words', 'EAAB\r\nX-Evil: 1', undefined];

const cases: Readonly<Record<PlatformName, Cases>> = {
  google: {
    settings: [
      [
        { customerId: '123-456-7890', conversionActionId: ' 848898416 ', loginCustomerId: '987 654 3210' },
        { customerId: '1234567890', conversionActionId: '848898416', loginCustomerId: '9876543210' },
      ],
    ],
    wrong: [
      [{ conversionActionId: '1' }, 'customerId', 'ten digits'],
      [{ ...google, customerId: '123' }, 'customerId', 'ten digits'],
      [{ ...google, loginCustomerId: '' }, 'loginCustomerId', 'ten digits'],
      [{ ...google, conversionActionId: 'customers/1/conversionActions/2' }, 'conversionActionId', 'ctId'],
    ],
    // see credentials.test.ts of Google
    credentials: [],
    wrongCredentials: [],
  },
  linkedin: {
    settings: ['104012', ' 104012 ', 'urn:lla:llaPartnerConversion:104012'].map(
      (conversionRuleId) => [{ conversionRuleId }, { conversionRuleId: '104012' }] as const,
    ),
    wrong: [undefined, '', 'my rule', 'urn:li:sponsoredAccount:1', '1/2'].map(
      (conversionRuleId) => [{ conversionRuleId }, 'conversionRuleId', rule] as const,
    ),
    credentials: [
      [{ accessToken: ' token ' }, { accessToken: 'token' }],
      [app, app],
    ],
    wrongCredentials: [
      [{}, 'accessToken'],
      [{ accessToken: 'two words' }, 'accessToken'],
      [{ clientId: 'app', clientSecret: 'secret' }, 'refreshToken'],
    ],
  },
  meta: {
    settings: [[{ pixelId: ' 1234567890 ' }, { pixelId: '1234567890', ...named }]],
    wrong: [
      [{ pixelId: 'my-pixel' }, 'pixelId', 'digits of the data set'],
      [{}, 'pixelId', 'digits of the data set'],
      [{ pixelId: '1', eventName: ' ' }, 'eventName', 'name of an event'],
      [{ pixelId: '1', testEventCode: 'a b' }, 'testEventCode', 'Test events'],
    ],
    credentials: [],
    wrongCredentials: noTokens.map((accessToken) => [{ accessToken }, 'accessToken'] as const),
  },
  microsoft: {
    settings: [[{ customerId: ' 24601', adAccountId: '8675309 ', conversionName: ' Sale ' }, microsoft]],
    wrong: [
      [{ ...microsoft, customerId: 'F24601' }, 'customerId', '"cid"'],
      [{ ...microsoft, customerId: undefined }, 'customerId', '"cid"'],
      [{ ...microsoft, adAccountId: 'X000ABCD' }, 'adAccountId', '"aid"'],
      [{ ...microsoft, conversionName: ' ' }, 'conversionName', 'name of the conversion goal'],
      [{ ...microsoft, conversionName: 'x'.repeat(101) }, 'conversionName', 'at most 100 characters'],
    ],
    credentials: [],
    wrongCredentials: Object.keys(microsoftCredentials).map(
      (name) => [{ ...microsoftCredentials, [name]: undefined }, name] as const,
    ),
  },
  tiktok: {
    settings: [[{ pixelCode: ' C17TA5JC77UDOT6CA5FG ' }, { pixelCode: 'C17TA5JC77UDOT6CA5FG', ...named }]],
    wrong: [
      [{ pixelCode: 'my-pixel' }, 'pixelCode', 'code of the pixel'],
      [{}, 'pixelCode', 'code of the pixel'],
      [{ pixelCode: 'C1', eventName: ' ' }, 'eventName', 'name of an event'],
      [{ pixelCode: 'C1', testEventCode: 'a b' }, 'testEventCode', 'Test events'],
    ],
    credentials: [],
    wrongCredentials: noTokens.map((accessToken) => [{ accessToken }, 'accessToken'] as const),
  },
};

describe.each(platformNames.map((name) => [name, cases[name]] as const))('the settings of %s', (name, own) => {
  const { settingsSchema, credentialsSchema } = platforms[name];

  it.each(own.settings)('are accepted as people write them: %j', (written, stored) => {
    expect(settingsSchema.parse(written)).toEqual(stored);
    expect(settingsSchema.parse(stored)).toEqual(stored);
  });

  it.each(own.wrong)('if they are wrong, the message names the field and the fix: %j', (settings, field, words) => {
    expect(settingsSchema.safeParse(settings).error?.issues).toMatchObject([
      { path: [field], message: expect.stringContaining(words) },
    ]);
  });

  it.each(own.credentials)('come with credentials as people write them: %j', (written, stored) => {
    expect(credentialsSchema.parse(written)).toEqual(stored);
  });

  it.each(own.wrongCredentials)('if credentials are wrong, the message names what is: %j', (credentials, field) => {
    expect(credentialsSchema.safeParse(credentials).error?.issues).toMatchObject([{ path: [field] }]);
  });
});
