import { describe, expect, it } from 'vitest';
import { microsoftPlatform } from './index.ts';

const settings = { customerId: '24601', adAccountId: '8675309', conversionName: 'Sale' };
const { settingsSchema, credentialsSchema, sample } = microsoftPlatform;

describe('the settings of Microsoft Advertising', () => {
  it('accepts settings with blanks around them', () => {
    const written = { customerId: ' 24601', adAccountId: '8675309 ', conversionName: ' Sale ' };
    expect(settingsSchema.parse(written)).toEqual(settings);
  });

  it.each([
    ['customerId', 'F24601', '"cid"'],
    ['customerId', undefined, '"cid"'],
    ['adAccountId', 'X000ABCD', '"aid"'],
    ['conversionName', ' ', 'name of the conversion goal'],
    ['conversionName', 'x'.repeat(101), 'at most 100 characters'],
  ])('does not accept %s %j', (name, value, words) => {
    expect(settingsSchema.safeParse({ ...settings, [name]: value }).error?.issues).toMatchObject([
      { path: [name], message: expect.stringContaining(words) },
    ]);
  });

  it.each(['developerToken', 'clientId', 'clientSecret', 'refreshToken'])('does not work without %s', (name) => {
    const credentials = { ...sample(1).credentials, [name]: undefined };
    expect(credentialsSchema.safeParse(credentials).error?.issues).toMatchObject([{ path: [name] }]);
  });
});
