import { z } from 'zod';
import { valueSchema } from '../definition.ts';
import { oauthClientFields } from '../oauth.ts';
import { secretText } from '../exchange.ts';

const rule = 'expected the digits of the conversion rule, as its URL in Campaign Manager shows them';
const urnPrefix = 'urn:lla:llaPartnerConversion:';

/** The conversion rule, as events name it. */
export const conversionUrn = (conversionRuleId: string): string => urnPrefix + conversionRuleId;

const conversionRuleId = z
  .string({ error: rule })
  .transform((written) => written.trim().replace(urnPrefix, ''))
  .refine((id) => /^\d+$/.test(id), rule);

export const linkedinSettingsSchema = z.object({
  conversionRuleId: conversionRuleId.meta({
    help: 'the conversion rule, with "Conversions API" as its source: the id in its URL',
    value: 'id',
  }),
  leadConversionRuleId: conversionRuleId.optional().meta({
    help: 'another one with that source, for leads (`--events`)',
    value: 'id',
  }),
  value: valueSchema,
});

export type LinkedInSettings = z.infer<typeof linkedinSettingsSchema>;

const refreshTokenSchema = z.object({
  ...oauthClientFields({
    clientId: {
      expected: 'expected the client id of the app',
      help: 'client id of an app with the Advertising API',
    },
    clientSecret: { expected: 'expected the client secret of the app', help: 'client secret of the app' },
    refreshToken: {
      expected: 'expected a refresh token with the scope rw_conversions',
      help: 'refresh token with the scope rw_conversions, for approved apps; it lasts a year',
    },
  }),
});
const accessTokenSchema = z.object({
  accessToken: secretText('expected an access token with the scope rw_conversions').meta({
    help: 'access token with the scope rw_conversions; it lasts 60 days',
    value: 'token',
    isSecret: true,
  }),
});

export type LinkedInRefreshToken = z.infer<typeof refreshTokenSchema>;

/** A refresh token with its app, or an access token. */
export const linkedinCredentialKinds = [refreshTokenSchema, accessTokenSchema] as const;
