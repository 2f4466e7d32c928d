import { definePlatform, platformUrl } from '../definition.ts';
import { createAccessTokens, requestToken } from '../oauth.ts';
import { minuteMs } from '../exchange.ts';
import { googleAdjustment, checkEvent, googleEvent } from './event.ts';
import { googleCodes } from './codes.ts';
import {
  type GoogleCredentials,
  googleCredentialKinds,
  googleQuotas,
  googleSettingsSchema,
  googleTokenRequest,
} from './access.ts';
import { conversionActionOf, googleRequestStatus, sendToGoogle } from './send.ts';
import { googleExamples } from './examples.ts';
import { googleTexts } from './texts.ts';

const apiVersion = {
  version: 'v1',
  endsAt: undefined,
  source: 'https://developers.google.com/data-manager/api/release-notes',
};

/** Google Ads, through the Data Manager API: https://developers.google.com/data-manager/api */
export const googlePlatform = definePlatform({
  name: 'google',
  title: 'Google',
  texts: googleTexts,
  env: {
    GOOGLE_API_URL: platformUrl('https://datamanager.googleapis.com'),
    GOOGLE_OAUTH_URL: platformUrl('https://oauth2.googleapis.com'),
  },
  apiVersion,
  settings: googleSettingsSchema,
  credentials: googleCredentialKinds,
  limits: {
    eventsMax: { live: 2000, test: 2000 },
    requestsMax: 1, // events that wait for a quota slot share one request
    requestStatusAfterMs: 30 * minuteMs, // "Diagnostics" of the Data Manager API
  },
  codes: googleCodes,
  needsConsent: true,
  canLimitUse: true,
  takesTests: true,
  events: { conversion: googleEvent, lead: googleEvent },
  destinationOf: ({ customerId, conversionActionId }) => `${customerId}/${conversionActionId}`,
  adjustments: googleAdjustment,
  eventSettings: { conversion: 'conversionActionId', lead: 'leadConversionActionId' },
  requestKeyOf: conversionActionOf,
  checkEvent,
  examples: googleExamples,
  // its own Google project, so that no other test uses up its quota
  sample: (n) => ({
    settings: { customerId: '1234567890', conversionActionId: '987654321' },
    credentials: {
      clientId: `${n}-test.apps.googleusercontent.com`,
      clientSecret: 'test-secret',
      refreshToken: 'test-refresh',
    },
  }),

  connect: (env, context) => {
    const ingestUrl = `${env('GOOGLE_API_URL')}/${apiVersion.version}/events:ingest`;
    const statusUrl = `${env('GOOGLE_API_URL')}/${apiVersion.version}/requestStatus:retrieve`;
    const accessTokens = createAccessTokens(
      (credentials: GoogleCredentials) =>
        requestToken(googleTokenRequest(env('GOOGLE_OAUTH_URL'), credentials, context.now()), context),
      context.now,
    );
    return (settings, credentials) => {
      const quotas = googleQuotas(credentials);
      const token = (rejected?: string) => accessTokens(credentials, rejected);
      return {
        takeSlot: () => context.takeSlot(quotas.events),
        takeStatusSlot: () => context.takeSlot(quotas.statuses),
        send: (events, test) => {
          const mode = test === undefined ? 'live' : 'test';
          return sendToGoogle(events, { token, quota: quotas.events, url: ingestUrl, settings, mode }, context);
        },
        requestStatus: (request) =>
          googleRequestStatus(request, { token, quota: quotas.statuses, url: statusUrl }, context),
      };
    };
  },
});
