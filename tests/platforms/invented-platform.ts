import type { SandboxPlatform } from '@leadback/platform-sandbox';
import { definePlatform, platformUrl } from '@leadback/platforms';
import express, { Router } from 'express';
import { z } from 'zod';

const texts = {
  needed: 'A site.',
  fields: { siteId: { label: 'Site', help: 'The site.' }, siteKey: { label: 'Key', help: 'Its key.' } },
};

const inAll = (words: string) => ({ en: words, es: words, pt: words });

/** A platform that does not exist, as its folder in packages/platforms would be. */
export const inventedPlatform = definePlatform({
  name: 'invented',
  title: 'Invented',
  texts: { en: texts, es: texts, pt: texts },
  env: { INVENTED_API_URL: platformUrl('https://api.invented.example') },
  apiVersion: { version: '1', endsAt: undefined, source: 'https://invented.example/versions' },
  settings: z.object({
    siteId: z.string().regex(/^\d+$/, 'expected digits').meta({ help: 'the site', value: 'id' }),
  }),
  credentials: [z.object({ siteKey: z.string().meta({ help: 'key of the site', value: 'key', isSecret: true }) })],
  limits: { eventsMax: { live: 10, test: 10 }, requestsMax: 1, eventAgeMaxMs: 86_400_000 },
  codes: {
    table: { 403: { words: inAll('The key is wrong.'), change: ['siteKey'] } },
    meaningOf: () => undefined,
    otherRemedy: { words: inAll('Ask Invented.'), change: [] },
  },
  needsConsent: false,
  canLimitUse: false,
  takesTests: true,
  events: { conversion: ({ eventId }) => ({ kind: 'event', event: { id: eventId }, keys: 0 }) },
  destinationOf: ({ siteId }) => siteId,
  checkEvent: (nowMs) => ({ id: `check-${nowMs}` }),
  sample: (n) => ({ settings: { siteId: String(n) }, credentials: { siteKey: `key-${n}` } }),
  connect:
    (env, { post, requestTimeoutMs: timeoutMs }) =>
    ({ siteId }, { siteKey }) => ({
      async send(events) {
        const url = `${env('INVENTED_API_URL')}/invented/${siteId}`;
        const reply = await post({ url, headers: { authorization: siteKey }, json: events, timeoutMs });
        if (reply.kind === 'answered' && reply.status === 200) {
          return { outcome: { kind: 'delivered' }, httpStatus: 200, body: reply.body };
        }
        return { outcome: { kind: 'unavailable', reason: 'not accepted' }, httpStatus: null, body: null };
      },
    }),
});

/** The same platform, as its folder in packages/platform-sandbox would be. */
export const inventedSandbox: SandboxPlatform = {
  name: 'invented',
  color: 'purple',
  reportsStatus: false,
  router: ({ received }) =>
    Router().post('/invented/:site', express.json(), (request, response) => {
      received.add({ platform: 'invented', connection: request.params.site }, z.array(z.unknown()).parse(request.body));
      response.json({});
    }),
};
