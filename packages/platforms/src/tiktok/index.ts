import { eventAgeMaxMs } from '@leadback/domain';
import { definePlatform } from '../define-platform.ts';
import { judgeReply } from '../judge-reply.ts';
import { platformUrl } from '../platform-setting.ts';
import { redaction } from '../redact.ts';
import { judgeTikTokAnswer } from './answer.ts';
import { tiktokCodes } from './codes.ts';
import { checkEvent, tiktokEvent } from './event.ts';
import { tiktokCredentialsSchema, tiktokSettingsSchema } from './settings.ts';

/** TikTok's Events API 2.0: https://business-api.tiktok.com/portal/docs?id=1771100865818625 */
export const tiktokPlatform = definePlatform({
  name: 'tiktok',
  title: 'TikTok',
  env: { TIKTOK_API_URL: platformUrl('https://business-api.tiktok.com') },
  settings: tiktokSettingsSchema,
  credentials: [tiktokCredentialsSchema],
  clickIds: ['ttclid'],
  limits: {
    eventsMax: { live: 1000, test: 1 }, // "Test events" shows only events sent one per request
    requestsMax: 2,
    eventAgeMaxMs: eventAgeMaxMs('tiktok'),
  },
  codes: tiktokCodes,
  needsConsent: true,
  canLimitUse: true,
  takesTests: true,
  events: {
    conversion: (conversion, { eventName }) => tiktokEvent(conversion, eventName),
    lead: (lead, { eventName }) => tiktokEvent(lead, eventName),
  },
  eventSettings: { conversion: 'eventName', lead: 'leadEventName' },
  checkEvent,
  testCodeOf: ({ testEventCode }) => testEventCode,
  sample: () => ({
    settings: { pixelCode: 'C17TA5JC77UDOT6CA5FG' },
    credentials: { accessToken: 'test-token' },
  }),

  connect: (env, { post, now, requestTimeoutMs: timeoutMs }) => {
    const url = `${env('TIKTOK_API_URL')}/open_api/v1.3/event/track/`;
    return ({ pixelCode }, { accessToken }) => ({
      async send(events, test) {
        const headers = { 'access-token': accessToken };
        const mark = test && { test_event_code: test.code };
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
