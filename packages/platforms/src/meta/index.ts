import { eventAgeMaxMs } from '@leadback/domain';
import { z } from 'zod';
import { definePlatform } from '../define-platform.ts';
import { judgeReply } from '../judge-reply.ts';
import { knownFields } from '../known-fields.ts';
import { platformUrl } from '../platform-setting.ts';
import { redaction } from '../redact.ts';
import { judgeMetaAnswer } from './answer.ts';
import { appSecretProof } from './app-secret-proof.ts';
import { metaCodes } from './codes.ts';
import { checkEvent, metaEvent } from './event.ts';
import { metaRefund } from './refund.ts';
import { metaCredentialsSchema, metaSettingsSchema } from './settings.ts';

const versionSchema = z.string().regex(/^v\d+\.\d+$/, 'expected a version of the Graph API, such as v25.0');

/** Meta's Conversions API: https://developers.facebook.com/docs/marketing-api/conversions-api */
export const metaPlatform = definePlatform({
  name: 'meta',
  title: 'Meta',
  env: {
    META_API_URL: platformUrl('https://graph.facebook.com'),
    // v25.0 was released 2026-02-18 and is available until 2028-07-29
    META_GRAPH_API_VERSION: { schema: versionSchema, standard: 'v25.0', isUrl: false },
  },
  settings: metaSettingsSchema,
  credentials: [metaCredentialsSchema],
  clickIds: ['fbclid'],
  limits: { eventsMax: { live: 1000, test: 1000 }, requestsMax: 2, eventAgeMaxMs: eventAgeMaxMs('meta') },
  codes: metaCodes,
  needsConsent: true,
  canLimitUse: true,
  takesTests: true,
  events: { conversion: metaEvent, lead: metaEvent },
  adjustments: metaRefund,
  eventSettings: { conversion: 'eventName', lead: 'leadEventName', adjustment: 'refundEvent' },
  checkEvent,
  testCodeOf: ({ testEventCode }) => testEventCode,
  sample: () => ({
    settings: { pixelId: '1234567890', eventName: 'Purchase' },
    credentials: { accessToken: 'test-token' },
  }),

  connect: (env, { post, now, requestTimeoutMs: timeoutMs }) => {
    const apiUrl = `${env('META_API_URL')}/${env('META_GRAPH_API_VERSION')}`;
    return ({ pixelId }, { accessToken, appSecret }) => {
      const proof = appSecretProof(accessToken, appSecret);
      return {
        async send(events, test) {
          const mark = test && { test_event_code: test.code };
          // in the body, because URLs appear in access logs
          const json = knownFields({ data: events, ...mark, access_token: accessToken, appsecret_proof: proof });
          const personal = events.map((event) => [event['user_data'], event['event_source_url']]);
          return judgeReply(await post({ url: `${apiUrl}/${pixelId}/events`, json, timeoutMs }), {
            judge: judgeMetaAnswer(events.length),
            redact: redaction(accessToken, appSecret, proof, personal),
            nowMs: now(),
          });
        },
      };
    };
  },
});
