import { judgeReply } from '../judge-reply.ts';
import type { Platform, PlatformEvent } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { judgeMetaAnswer } from './answer.ts';
import { checkEvent, metaEvent } from './event.ts';
import { metaCredentialsSchema, metaSettingsSchema } from './settings.ts';

// Meta takes any code; nobody looks under this one
const checkCode = 'LEADBACK';

// of 2026-02-18, answers until 2028-07-29
const version = 'v25.0';

/** Meta's Conversions API: https://developers.facebook.com/docs/marketing-api/conversions-api */
export const metaPlatform = (
  apiUrl: string,
  { post, now, requestTimeoutMs: timeoutMs }: PlatformContext,
): Platform => ({
  name: 'meta',
  eventsMax: 1000,
  settingsSchema: metaSettingsSchema,
  credentialsSchema: metaCredentialsSchema,

  access(settings, credentials, mode) {
    const { pixelId, eventName, testEventCode } = metaSettingsSchema.parse(settings);
    const { accessToken } = metaCredentialsSchema.parse(credentials);
    const url = `${apiUrl}/${version}/${pixelId}/events`;
    const send = async (events: readonly PlatformEvent[], test: { readonly test_event_code?: string | undefined }) => {
      // in the body, where no log of addresses finds it
      const json = { data: events, ...test, access_token: accessToken };
      const personal = events.map((event) => [event['user_data'], event['event_source_url']]);
      return judgeReply(await post({ url, json, timeoutMs }), {
        judge: judgeMetaAnswer(events.length),
        redact: redaction(accessToken, personal),
        nowMs: now(),
      });
    };
    // never with what is live: Meta would take it for a test
    const test = mode === 'test' ? { test_event_code: testEventCode } : {};
    const hasNoWay = mode === 'test' && testEventCode === undefined;

    return {
      prepare: (conversion) =>
        hasNoWay ? { kind: 'skipped', reason: 'no_test_event_code' } : metaEvent(conversion, eventName, now()),

      send: (events) => send(events, test),
      // an event of our own name that no campaign counts, marked as a test on top of that
      check: () => send([checkEvent(now())], { test_event_code: testEventCode ?? checkCode }),
    };
  },
});
