import { createHmac } from 'node:crypto';
import { definePlatform, knownFields, platformUrl } from '../definition.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeMetaResponse, metaCodes } from './codes.ts';
import { checkEvent, metaEvent, metaRefund } from './event.ts';
import { metaCredentialsSchema, metaSettingsSchema } from './settings.ts';
import { metaExamples } from './examples.ts';
import { metaTexts } from './texts.ts';

/**
 * Proves to Meta that the sender has the secret of the app that issued the token ("Securing Graph API requests");
 * `undefined` if no secret is configured.
 */
export const appSecretProof = (accessToken: string, appSecret: string | undefined): string | undefined =>
  appSecret === undefined ? undefined : createHmac('sha256', appSecret).update(accessToken).digest('hex');

// Events are requests of the Marketing API, which ends a version years before the Graph API does. Meta names no end of
// this one yet: a year after its release, as it was with those before.
const apiVersion = {
  version: 'v26.0',
  endsAt: new Date('2027-07-29'),
  source: 'https://developers.facebook.com/docs/marketing-api/marketing-api-changelog/versions',
};

/** Meta's Conversions API: https://developers.facebook.com/docs/marketing-api/conversions-api */
export const metaPlatform = definePlatform({
  name: 'meta',
  title: 'Meta',
  texts: metaTexts,
  env: { META_API_URL: platformUrl('https://graph.facebook.com') },
  apiVersion,
  settings: metaSettingsSchema,
  credentials: [metaCredentialsSchema],
  limits: { eventsMax: { live: 1000, test: 1000 }, requestsMax: 2 },
  codes: metaCodes,
  needsConsent: true,
  canLimitUse: true,
  takesTests: true,
  events: { conversion: metaEvent, lead: metaEvent },
  destinationOf: ({ pixelId }) => pixelId,
  adjustments: metaRefund,
  eventSettings: { conversion: 'eventName', lead: 'leadEventName', adjustment: 'refundEvent' },
  checkEvent,
  examples: metaExamples,
  testCodeOf: ({ testEventCode }) => testEventCode,
  sample: () => ({
    settings: { pixelId: '1234567890', eventName: 'Purchase' },
    credentials: { accessToken: 'test-token' },
  }),

  connect: (env, { post, now, requestTimeoutMs: timeoutMs }) => {
    const apiUrl = `${env('META_API_URL')}/${apiVersion.version}`;
    return ({ pixelId }, { accessToken, appSecret }) => {
      const proof = appSecretProof(accessToken, appSecret);
      return {
        async send(events, test) {
          const mark = test && { test_event_code: test.code };
          // in the body, because URLs appear in access logs
          const json = knownFields({ data: events, ...mark, access_token: accessToken, appsecret_proof: proof });
          const personal = events.map((event) => [event['user_data'], event['event_source_url']]);
          return judgeReply(await post({ url: `${apiUrl}/${pixelId}/events`, json, timeoutMs }), {
            judge: judgeMetaResponse(events.length),
            redact: redaction(accessToken, appSecret, proof, personal),
            nowMs: now(),
          });
        },
      };
    };
  },
});
