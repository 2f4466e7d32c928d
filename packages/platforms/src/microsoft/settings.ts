import { z } from 'zod';
import { otherCurrencySchema, valueSchema } from '../definition.ts';
import { oauthClientFields } from '../oauth.ts';
import { secretText } from '../exchange.ts';

const account = 'expected the digits of the account id, as "aid" in the URL of Microsoft Advertising';
const customer = 'expected the digits of the customer id, as "cid" in the URL of Microsoft Advertising';
const goal = 'expected the name of the conversion goal, of at most 100 characters';

const digits = (expected: string) => z.string({ error: expected }).trim().regex(/^\d+$/, expected);

const goalName = z.string({ error: goal }).trim().min(1, goal).max(100, goal);

export const microsoftSettingsSchema = z.object({
  customerId: digits(customer).meta({
    help: 'the customer that owns the ad account: "cid" in the URL',
    value: 'id',
  }),
  adAccountId: digits(account).meta({
    help: 'the ad account: "aid" in the URL',
    value: 'id',
  }),
  conversionName: goalName.meta({
    help: 'name of the conversion goal, of type "Offline conversions"',
    value: 'name',
  }),
  leadConversionName: goalName.optional().meta({
    help: 'name of another one of that type, for leads (`--events`)',
    value: 'name',
  }),
  otherCurrency: otherCurrencySchema,
  value: valueSchema,
});

export type MicrosoftSettings = z.infer<typeof microsoftSettingsSchema>;

export const microsoftCredentialsSchema = z.object({
  developerToken: secretText('expected the developer token of the API').meta({
    help: 'developer token of the API, from developers.ads.microsoft.com',
    value: 'token',
    isSecret: true,
  }),
  ...oauthClientFields({
    clientId: {
      expected: 'expected the application (client) id of the app',
      help: 'application id of a web app in Microsoft Entra, for any organization and personal accounts',
    },
    clientSecret: { expected: 'expected the secret of the app', help: 'secret of the app' },
    refreshToken: {
      expected: 'expected a refresh token with the scope https://ads.microsoft.com/msads.manage',
      help: 'refresh token with the scopes https://ads.microsoft.com/msads.manage and offline_access; it lasts 90 days without a delivery',
    },
  }),
});
export type MicrosoftCredentials = z.infer<typeof microsoftCredentialsSchema>;
