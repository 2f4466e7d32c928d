import { judgeReply } from '../judge-reply.ts';
import type { Platform } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { accessWithTestEvents } from '../test-events.ts';
import { mendMeta } from './advice.ts';
import { judgeMetaAnswer } from './answer.ts';
import { checkEvent, metaEvent } from './event.ts';
import { metaCredentialsSchema, metaSettingsSchema } from './settings.ts';

/** Meta's Conversions API, at the Graph API's address with its version: https://developers.facebook.com/docs/marketing-api/conversions-api */
export const metaPlatform = (
  apiUrl: string,
  { post, now, requestTimeoutMs: timeoutMs }: PlatformContext,
): Platform => ({
  name: 'meta',
  title: 'Meta',
  eventsMax: 1000,
  requestsMax: 2,
  settingsSchema: metaSettingsSchema,
  credentialsSchema: metaCredentialsSchema,
  mend: mendMeta,

  access(settings, credentials, mode) {
    const own = metaSettingsSchema.parse(settings);
    const { accessToken } = metaCredentialsSchema.parse(credentials);
    const url = `${apiUrl}/${own.pixelId}/events`;
    return accessWithTestEvents(mode, own.testEventCode, {
      prepare: (conversion) => metaEvent(conversion, own, now()),
      checkEvent: () => checkEvent(now()),

      async send(events, mark) {
        // in the body, where no log of addresses finds it
        const json = { data: events, ...mark, access_token: accessToken };
        const personal = events.map((event) => [event['user_data'], event['event_source_url']]);
        return judgeReply(await post({ url, json, timeoutMs }), {
          judge: judgeMetaAnswer(events.length),
          redact: redaction(accessToken, personal),
          nowMs: now(),
        });
      },
    });
  },
});
