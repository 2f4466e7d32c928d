import { definePlatform, platformUrl } from '../definition.ts';
import { judgeReply, redaction } from '../exchange.ts';
import {
  createAccessTokens,
  type AuthorizedAccess,
  authorizedCalls,
  fixedAccess,
  refreshTokenGrant,
  renewGrant,
  requestToken,
  storedOfKind,
} from '../oauth.ts';
import { judgeLinkedInResponse, linkedinCodes } from './codes.ts';
import { checkEvent, linkedinEvent, personalValues } from './event.ts';
import {
  conversionUrn,
  linkedinCredentialKinds,
  type LinkedInRefreshToken,
  linkedinSettingsSchema,
} from './settings.ts';
import { linkedinTexts } from './texts.ts';

// "Versioning": LinkedIn supports the version of a month for at least a year, and has ended none before mid-month.
const apiVersion = {
  version: '202607',
  endsAt: new Date('2027-07-15'),
  source: 'https://learn.microsoft.com/linkedin/marketing/integrations/migrations',
};

/** LinkedIn's Conversions API: https://learn.microsoft.com/linkedin/marketing/integrations/ads-reporting/conversions-api */
export const linkedinPlatform = definePlatform({
  name: 'linkedin',
  title: 'LinkedIn',
  texts: linkedinTexts,
  env: {
    LINKEDIN_API_URL: platformUrl('https://api.linkedin.com'),
    LINKEDIN_OAUTH_URL: platformUrl('https://www.linkedin.com'),
  },
  apiVersion,
  settings: linkedinSettingsSchema,
  credentials: linkedinCredentialKinds,
  limits: {
    eventsMax: { live: 5000, test: 5000 },
    requestsMax: 1, // requests are limited (600 a minute for each app), so events that wait share one
  },
  codes: linkedinCodes,
  needsConsent: true,
  canLimitUse: false,
  takesTests: false,
  events: { conversion: linkedinEvent, lead: linkedinEvent },
  destinationOf: ({ conversionRuleId }) => conversionRuleId,
  eventSettings: { conversion: 'conversionRuleId', lead: 'leadConversionRuleId' },
  checkEvent,
  sample: () => ({
    settings: { conversionRuleId: '104012' },
    credentials: { accessToken: 'test-token' },
  }),

  connect: (env, context) => {
    const url = `${env('LINKEDIN_API_URL')}/rest/conversionEvents`;
    const tokenUrl = `${env('LINKEDIN_OAUTH_URL')}/oauth/v2/accessToken`;
    const ask = (credentials: LinkedInRefreshToken) => {
      const { clientSecret, refreshToken } = credentials;
      const secrets = [clientSecret, refreshToken];
      return requestToken({ url: tokenUrl, form: refreshTokenGrant(credentials), secrets }, context);
    };
    // LinkedIn gives the same refresh token with each access token, so far
    const accessTokens = createAccessTokens<LinkedInRefreshToken>(
      (credentials, stored) => renewGrant(credentials, stored, ask),
      context.now,
    );
    const headers = {
      'linkedin-version': apiVersion.version,
      'x-restli-method': 'BATCH_CREATE',
      'x-restli-protocol-version': '2.0.0',
    };

    return ({ conversionRuleId }, credentials, stored) => {
      const renewed = storedOfKind(stored, (found): found is LinkedInRefreshToken => !('accessToken' in found));
      const access: AuthorizedAccess =
        'accessToken' in credentials
          ? fixedAccess(credentials.accessToken)
          : { token: (rejected) => accessTokens(credentials, rejected, renewed) };
      return {
        async send(events) {
          const elements = events.map((event) => ({ conversion: conversionUrn(conversionRuleId), ...event }));
          const called = await authorizedCalls(access, context)('POST', { url, headers, json: { elements } });
          if (called.kind === 'denied') return called.answer;
          const nowMs = context.now();
          return judgeReply(called.reply, {
            judge: judgeLinkedInResponse(events, nowMs),
            redact: redaction(called.accessToken, Object.values(credentials), events.map(personalValues)),
            nowMs,
          });
        },
      };
    };
  },
});
