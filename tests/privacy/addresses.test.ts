import { text } from 'node:stream/consumers';
import { platformNames } from '@leadback/domain';
import { eventually, givenConnection, givenLandingPage, givenServer, givenWebhook, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { allDelivered } from '../support/deliveries.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack } from '../support/given-stack.ts';

/** What links and apps carry of a person, and a part of it that is in all ways to write it. */
const personal = {
  email: { written: 'perez.canario@example.com', mark: 'perez.canario' },
  phone: { written: '+54 9 11 5550-1470', mark: '5550-1470' },
  place: { written: '-34.60376,-58.38162', mark: '34.60376' },
  token: { written: 'tkn-Canario77', mark: 'tkn-canario77' },
} as const;
type Kind = keyof typeof personal;
const kinds = Object.keys(personal).filter((name): name is Kind => Object.hasOwn(personal, name));

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const clicks = new URLSearchParams({
  gclid: 'Cj0KCQiA-abcdefghijklmnop',
  fbclid: 'IwAR2F4-dbP0l7Mn1IawQQabcdefgh',
  ttclid: 'E.C.P.abcdefghijklmnopqrst',
  li_fat_id: '4c2b1f3e-5a6d-4e7f-8a9b-0c1d2e3f4a5b',
  msclkid: '0123456789abcdef0123456789abcdef',
}).toString();

interface Seen {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

/** All texts that landing captures, each with something personal in it. */
const captured: Readonly<Record<string, (written: string) => Seen>> = {
  'a parameter': (written) => ({ query: `email=${encodeURIComponent(written)}&q=${encodeURIComponent(written)}` }),
  'a parameter that is encoded twice': (written) => ({ query: `q=${encodeURIComponent(encodeURIComponent(written))}` }),
  'the path': (written) => ({ path: `/${encodeURIComponent(written)}` }),
  utm_content: (written) => ({ query: `utm_content=${encodeURIComponent(written)}` }),
  utm_campaign: (written) => ({ query: `utm_campaign=${encodeURIComponent(written)}` }),
  'the referrer': (written) => ({
    headers: {
      referer: `https://mail.example/inbox/${encodeURIComponent(written)}?user=${encodeURIComponent(written)}`,
    },
  }),
  'the user agent': (written) => ({ headers: { 'user-agent': `${browser} ${written}` } }),
  'Accept-Language': (written) => ({ headers: { 'accept-language': `${written},es-AR` } }),
  'cookies of pixels': (written) => ({
    headers: {
      cookie: ['_fbp', '_fbc', '_ttp', '_epik', '_scid', 'other'].map((name) => `${name}=${written}`).join('; '),
    },
  }),
  'cookies of pixels, in their form': (written) => ({
    headers: { cookie: `_fbp=fb.1.1790000000000.${written}; _fbc=fb.1.1790000000000.${written}` },
  }),
  'X-Forwarded-For': (written) => ({ headers: { 'x-forwarded-for': written } }),
};
// a campaign, a browser and a pixel's id may be any word; a program whose name has an email is no visitor
const isLeft = (where: string, kind: Kind) =>
  (kind === 'token' && /^utm_|user agent|pixels$/.test(where)) || (kind === 'email' && where === 'the user agent');

const cases = Object.entries(captured).flatMap(([where, seenWith]) =>
  kinds.filter((kind) => !isLeft(where, kind)).map((kind) => ({ where, kind, seen: seenWith(personal[kind].written) })),
);

describe('what a visitor brings along', async () => {
  const stack = await shared(givenStack());
  const told: string[] = [];
  const keep = await shared(
    givenServer((request, response) => {
      void text(request).then((body) => {
        told.push(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }),
  );
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: keep.url, WEBHOOKS_ALLOW_LOOPBACK: 'true', TRUST_PROXY: '1' };
  await Promise.all([
    stack.start('landing', { settings }),
    stack.start('api', { settings }),
    stack.start('feedback-worker', { settings }),
  ]);
  const em = stack.database.em();
  const partner = await givenPartner(stack);
  const { account } = partner;
  for (const platform of platformNames)
    if (platform !== 'meta' && platform !== 'google') await givenConnection(em, { account, platform });
  await givenWebhook(em, { account, url: keep.url });
  const page = await givenLandingPage(em, { account, mode: 'direct' });

  it('is told to no platform and no webhook, and is in no log and no trace', async () => {
    for (const [index, one] of cases.entries()) {
      const { path = '', query = '', headers } = one.seen;
      const url = `${stack.landingUrl}/${page.slug}${path}?${clicks}&${query}`;
      const answer = await fetch(url, { redirect: 'manual', headers: { 'user-agent': browser, ...headers } });
      const leadReference = new URL(answer.headers.get('location') ?? '').searchParams.get('serviceId');
      const reference = `order-of-case-${index}`;
      const client = await partner.post('/client', { leadReference, externalReference: reference });
      expect([one.where, one.kind, client.status]).toEqual([one.where, one.kind, 201]);
      const sale = { clientExternalReference: reference, conversionExternalReference: reference };
      expect((await partner.post('/client/conversion', { ...sale, amount: 10, currency: 'USD' })).status).toBe(201);
    }
    await allDelivered(stack.database);
    const events = await stack.sandbox.events();
    expect(new Set(events.map(({ platform }) => platform))).toEqual(new Set(platformNames));
    const leaked = events.flatMap(({ platform, event }) => {
      const sent = JSON.stringify(event).toLowerCase();
      const marks = kinds.filter((kind) => sent.includes(personal[kind].mark));
      return marks.map((kind) => `${platform}: ${kind}: ${sent}`);
    });
    expect(leaked).toEqual([]);
    // traces come some seconds later
    await eventually(async () => {
      for (const span of ['GET /:slug', 'register conversion', 'POST tiktok'])
        expect(told.some((body) => body.includes(`"name":"${span}"`))).toBe(true);
    });
    const webhooks = told.filter((body) => body.includes('"type":"delivery.delivered"'));
    expect(webhooks.length).toBeGreaterThanOrEqual(cases.length);
    const elsewhere = [...told, await stack.logsAndMetrics()].join('\n').toLowerCase();
    expect(kinds.filter((kind) => elsewhere.includes(personal[kind].mark))).toEqual([]);
  });
});
