import type { Platform } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { minuteMs } from '../span.ts';
import { createAccessTokens } from './access-token.ts';
import { remedyForGoogle } from './advice.ts';
import { googleCredentialsSchema } from './credentials.ts';
import { checkEvent, googleEvent } from './event.ts';
import { googleRequestStatus } from './request-status-response.ts';
import { googleQuota } from './quota.ts';
import { sendToGoogle } from './send.ts';
import { googleSettingsSchema } from './settings.ts';
import { requestAccessToken } from './token-request.ts';

/** Google Ads, through the Data Manager API: https://developers.google.com/data-manager/api */
export const googlePlatform = (apiUrl: string, oauthUrl: string, context: PlatformContext): Platform => {
  const accessTokens = createAccessTokens(
    (credentials) => requestAccessToken(oauthUrl, credentials, context),
    context.now,
  );

  return {
    name: 'google',
    title: 'Google',
    eventsMax: { live: 2000, test: 2000 },
    requestsMax: 1, // events that wait for a quota slot share one request
    requestStatusAfterMs: 30 * minuteMs, // "Diagnostics" of the Data Manager API
    settingsSchema: googleSettingsSchema,
    credentialsSchema: googleCredentialsSchema,
    remedyFor: remedyForGoogle,

    access(settings, credentials, mode) {
      const ownCredentials = googleCredentialsSchema.parse(credentials);
      const way = {
        quota: googleQuota(ownCredentials),
        token: (refused?: string) => accessTokens(ownCredentials, refused),
      };
      const account = { ...way, url: `${apiUrl}/v1/events:ingest`, settings: googleSettingsSchema.parse(settings) };
      const statusUrl = `${apiUrl}/v1/requestStatus:retrieve`;
      return {
        prepare: (conversion, atMs = context.now()) => googleEvent(conversion, atMs),
        send: (events) => sendToGoogle(events, { ...account, mode }, context),
        check: () => sendToGoogle([checkEvent(context.now())], { ...account, mode: 'test' }, context),
        requestStatus: (request) => googleRequestStatus(request, { ...way, url: statusUrl }, context),
      };
    },
  };
};
