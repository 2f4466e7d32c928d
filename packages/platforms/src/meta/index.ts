import { judgeReply } from '../judge-reply.ts';
import { knownFields } from '../known-fields.ts';
import type { Platform } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import { accessWithTestEvents } from '../test-transport.ts';
import { remedyForMeta } from './advice.ts';
import { judgeMetaAnswer } from './answer.ts';
import { appSecretProof } from './app-secret-proof.ts';
import { checkEvent, metaEvent } from './event.ts';
import { metaCredentialsSchema, metaSettingsSchema } from './settings.ts';

/**
 * Meta's Conversions API. `apiUrl` includes the version:
 * https://developers.facebook.com/docs/marketing-api/conversions-api
 */
export const metaPlatform = (
  apiUrl: string,
  { post, now, requestTimeoutMs: timeoutMs }: PlatformContext,
): Platform => ({
  name: 'meta',
  title: 'Meta',
  eventsMax: { live: 1000, test: 1000 },
  requestsMax: 2,
  settingsSchema: metaSettingsSchema,
  credentialsSchema: metaCredentialsSchema,
  remedyFor: remedyForMeta,

  access(settings, credentials, mode) {
    const own = metaSettingsSchema.parse(settings);
    const { accessToken, appSecret } = metaCredentialsSchema.parse(credentials);
    const proof = appSecretProof(accessToken, appSecret);
    const url = `${apiUrl}/${own.pixelId}/events`;
    return accessWithTestEvents(mode, own.testEventCode, {
      prepare: (conversion, atMs = now()) => metaEvent(conversion, own, atMs),
      checkEvent: () => checkEvent(now()),

      async send(events, mark) {
        // in the body, because URLs appear in access logs
        const json = knownFields({ data: events, ...mark, access_token: accessToken, appsecret_proof: proof });
        const personal = events.map((event) => [event['user_data'], event['event_source_url']]);
        return judgeReply(await post({ url, json, timeoutMs }), {
          judge: judgeMetaAnswer(events.length),
          redact: redaction(accessToken, appSecret, proof, personal),
          nowMs: now(),
        });
      },
    });
  },
});
