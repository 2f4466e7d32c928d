import { judgeReply } from '../judge-reply.ts';
import type { Platform } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { accessWithTestEvents } from '../test-transport.ts';
import { remedyForTikTok } from './advice.ts';
import { judgeTikTokAnswer } from './answer.ts';
import { checkEvent, tiktokEvent } from './event.ts';
import { tiktokCredentialsSchema, tiktokSettingsSchema } from './settings.ts';

/** TikTok's Events API 2.0: https://business-api.tiktok.com/portal/docs?id=1771100865818625 */
export const tiktokPlatform = (
  apiUrl: string,
  { post, now, requestTimeoutMs: timeoutMs }: PlatformContext,
): Platform => ({
  name: 'tiktok',
  title: 'TikTok',
  eventsMax: { live: 1000, test: 1 }, // "Test events" shows only events sent one per request
  requestsMax: 2,
  settingsSchema: tiktokSettingsSchema,
  credentialsSchema: tiktokCredentialsSchema,
  remedyFor: remedyForTikTok,

  access(settings, credentials, mode) {
    const { pixelCode, eventName, testEventCode } = tiktokSettingsSchema.parse(settings);
    const { accessToken } = tiktokCredentialsSchema.parse(credentials);
    const url = `${apiUrl}/open_api/v1.3/event/track/`;
    return accessWithTestEvents(mode, testEventCode, {
      prepare: (conversion, atMs = now()) => tiktokEvent(conversion, eventName, atMs),
      checkEvent: () => checkEvent(now()),

      async send(events, mark) {
        const headers = { 'access-token': accessToken };
        const json = { event_source: 'web', event_source_id: pixelCode, ...mark, data: events };
        const personal = events.map((event) => [event['user'], event['page']]);
        return judgeReply(await post({ url, headers, json, timeoutMs }), {
          judge: judgeTikTokAnswer(events.length),
          redact: redaction(accessToken, personal),
          nowMs: now(),
        });
      },
    });
  },
});
