import { z } from 'zod';
import {
  eventNameSchema,
  leadEventNameSchema,
  otherCurrencySchema,
  testEventCodeSchema,
  valueSchema,
  definePlatform,
  platformUrl,
} from '../definition.ts';
import { secretText, judgeReply, redaction } from '../exchange.ts';
import { judgeTikTokResponse, tiktokCodes } from './codes.ts';
import { tiktokCurrencies } from './currencies.ts';
import { checkEvent, tiktokEvent } from './event.ts';
import { tiktokExamples } from './examples.ts';
import { tiktokTexts } from './texts.ts';

const pixelCodeHint = 'expected the code of the pixel, letters and digits, as Events Manager shows it';

const tiktokSettingsSchema = z.object({
  pixelCode: z
    .string({ error: pixelCodeHint })
    .trim()
    .regex(/^[A-Z0-9]+$/i, pixelCodeHint)
    .meta({ help: 'the pixel, as Events Manager shows it', value: 'code' }),
  eventName: eventNameSchema,
  leadEventName: leadEventNameSchema,
  otherCurrency: otherCurrencySchema,
  testEventCode: testEventCodeSchema,
  value: valueSchema,
});

const tiktokCredentialsSchema = z.object({
  accessToken: secretText('expected the access token that Events Manager generates for the pixel').meta({
    help: 'from Events Manager: the pixel, Settings, Events API, "Generate access token"',
    value: 'token',
    isSecret: true,
  }),
});

const apiVersion = {
  version: 'v1.3',
  endsAt: undefined,
  source: 'https://business-api.tiktok.com/portal/docs?id=1740579480076290',
};

/** TikTok's Events API 2.0: https://business-api.tiktok.com/portal/docs?id=1771100865818625 */
export const tiktokPlatform = definePlatform({
  name: 'tiktok',
  title: 'TikTok',
  texts: tiktokTexts,
  env: { TIKTOK_API_URL: platformUrl('https://business-api.tiktok.com') },
  apiVersion,
  settings: tiktokSettingsSchema,
  credentials: [tiktokCredentialsSchema],
  limits: {
    eventsMax: { live: 1000, test: 1 }, // "Test events" shows only events sent one per request
    requestsMax: 2,
  },
  codes: tiktokCodes,
  needsConsent: true,
  canLimitUse: true,
  takesTests: true,
  events: {
    conversion: (conversion, { eventName }) => tiktokEvent(conversion, eventName),
    lead: (lead, { eventName }) => tiktokEvent(lead, eventName),
  },
  currencies: { taken: tiktokCurrencies, sendsOthers: ({ otherCurrency }) => otherCurrency === 'without-value' },
  eventSettings: { conversion: 'eventName', lead: 'leadEventName' },
  destinationOf: ({ pixelCode }) => pixelCode,
  checkEvent,
  examples: tiktokExamples,
  testCodeOf: ({ testEventCode }) => testEventCode,
  sample: () => ({
    settings: { pixelCode: 'C17TA5JC77UDOT6CA5FG' },
    credentials: { accessToken: 'test-token' },
  }),

  connect: (env, { post, now, requestTimeoutMs: timeoutMs }) => {
    const url = `${env('TIKTOK_API_URL')}/open_api/${apiVersion.version}/event/track/`;
    return ({ pixelCode }, { accessToken }) => ({
      async send(events, test) {
        const headers = { 'access-token': accessToken };
        const mark = test && { test_event_code: test.code };
        const json = { event_source: 'web', event_source_id: pixelCode, ...mark, data: events };
        const personal = events.map((event) => [event['user'], event['page']]);
        return judgeReply(await post({ url, headers, json, timeoutMs }), {
          judge: judgeTikTokResponse(events.length),
          redact: redaction(accessToken, personal),
          nowMs: now(),
        });
      },
    });
  },
});
