import { describe, expect, it } from 'vitest';
import { linkedinPlatform } from './index.ts';

const { settingsSchema, credentialsSchema } = linkedinPlatform;
const app = { clientId: 'app', clientSecret: 'secret', refreshToken: 'refresh' };

describe('the settings of LinkedIn', () => {
  it.each(['104012', ' 104012 ', 'urn:lla:llaPartnerConversion:104012'])(
    'accepts %j as a conversion rule',
    (conversionRuleId) => {
      expect(settingsSchema.parse({ conversionRuleId })).toEqual({ conversionRuleId: '104012' });
    },
  );

  it.each([undefined, '', 'my rule', 'urn:li:sponsoredAccount:1', '1/2'])(
    'does not accept %j as a conversion rule',
    (conversionRuleId) => {
      expect(settingsSchema.safeParse({ conversionRuleId }).error?.issues).toMatchObject([
        { path: ['conversionRuleId'], message: expect.stringContaining('expected the digits of the conversion rule') },
      ]);
    },
  );

  it('accepts an access token, or a whole refresh token', () => {
    expect(credentialsSchema.parse({ accessToken: ' token ' })).toEqual({ accessToken: 'token' });
    expect(credentialsSchema.parse(app)).toEqual(app);
  });

  it.each([
    [{}, 'accessToken'],
    [{ accessToken: 'two words' }, 'accessToken'],
    [{ clientId: 'app', clientSecret: 'secret' }, 'refreshToken'],
  ])('names what is missing in the credentials %j', (credentials, name) => {
    expect(credentialsSchema.safeParse(credentials).error?.issues).toMatchObject([{ path: [name] }]);
  });
});
