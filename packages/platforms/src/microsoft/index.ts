import { definePlatform, platformUrl } from '../definition.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { authorizedCalls, createAccessTokens, refreshTokenGrant, renewGrant, requestToken } from '../oauth.ts';
import { isTokenRejected, judgeMicrosoftResponse, microsoftCodes } from './codes.ts';
import { microsoftCurrencies } from './currencies.ts';
import { checkEvent, microsoftEvent } from './event.ts';
import { type MicrosoftCredentials, microsoftCredentialsSchema, microsoftSettingsSchema } from './settings.ts';
import { microsoftTexts } from './texts.ts';

const scope = 'https://ads.microsoft.com/msads.manage offline_access';

const apiVersion = {
  version: 'v13',
  endsAt: undefined,
  source: 'https://learn.microsoft.com/advertising/guides/release-notes',
};

/**
 * Microsoft Advertising, offline conversions:
 * https://learn.microsoft.com/advertising/campaign-management-service/applyofflineconversions
 */
export const microsoftPlatform = definePlatform({
  name: 'microsoft',
  title: 'Microsoft Advertising',
  texts: microsoftTexts,
  env: {
    MICROSOFT_API_URL: platformUrl('https://campaign.api.bingads.microsoft.com'),
    MICROSOFT_OAUTH_URL: platformUrl('https://login.microsoftonline.com'),
  },
  apiVersion,
  settings: microsoftSettingsSchema,
  credentials: [microsoftCredentialsSchema],
  limits: {
    eventsMax: { live: 1000, test: 1000 },
    requestsMax: 1, // calls per minute are limited, and Microsoft asks to send as many conversions as possible in each
  },
  codes: microsoftCodes,
  needsConsent: true,
  canLimitUse: false,
  takesTests: false,
  events: { conversion: microsoftEvent, lead: microsoftEvent },
  destinationOf: ({ adAccountId, conversionName }) => `${adAccountId}/${conversionName}`,
  currencies: { taken: microsoftCurrencies, sendsOthers: ({ otherCurrency }) => otherCurrency === 'without-value' },
  eventSettings: { conversion: 'conversionName', lead: 'leadConversionName' },
  checkEvent,
  credentialsDays: 90,
  sample: (n) => ({
    settings: { customerId: '24601', adAccountId: '8675309', conversionName: 'Sale' },
    credentials: {
      developerToken: 'test-developer',
      clientId: '4c0b7c52-5d5f-4f2e-9d6c-2f3a8b1e7d90',
      clientSecret: 'test-secret',
      refreshToken: `test-refresh-${n}`,
    },
  }),

  connect: (env, context) => {
    const url = `${env('MICROSOFT_API_URL')}/CampaignManagement/${apiVersion.version}/OfflineConversions/Apply`;
    const tokenUrl = `${env('MICROSOFT_OAUTH_URL')}/common/oauth2/v2.0/token`;
    const ask = (credentials: MicrosoftCredentials) => {
      const { clientSecret, refreshToken } = credentials;
      const form = { ...refreshTokenGrant(credentials), scope };
      return requestToken({ url: tokenUrl, form, secrets: [clientSecret, refreshToken] }, context);
    };
    // Each access token comes with another refresh token, which lasts for 90 days; those before end on their own days.
    // Now and then Microsoft rejects a valid refresh token, and takes it again at once.
    const accessTokens = createAccessTokens<MicrosoftCredentials>(
      (credentials, stored) => renewGrant(credentials, stored, ask),
      context.now,
    );

    return ({ customerId, adAccountId, conversionName }, credentials, stored) => {
      const headers = {
        developertoken: credentials.developerToken,
        customerid: customerId,
        customeraccountid: adAccountId,
      };
      const access = { token: (rejected?: string) => accessTokens(credentials, rejected, stored), isTokenRejected };
      return {
        async send(events) {
          const OfflineConversions = events.map((event) => ({ ConversionName: conversionName, ...event }));
          const call = authorizedCalls(access, context);
          const called = await call('POST', { url, headers, json: { OfflineConversions } });
          if (called.kind === 'denied') return called.answer;
          const { developerToken, clientSecret, refreshToken } = credentials;
          const personal = events.map((event) => [
            event['MicrosoftClickId'],
            event['HashedEmailAddress'],
            event['HashedPhoneNumber'],
          ]);
          return judgeReply(called.reply, {
            judge: judgeMicrosoftResponse(events.length),
            redact: redaction(called.accessToken, developerToken, clientSecret, refreshToken, personal),
            nowMs: context.now(),
          });
        },
      };
    };
  },
});
