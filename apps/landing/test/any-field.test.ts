import { randomInt } from 'node:crypto';
import { eventually, hostileStrings, shared, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

const visitsMax = Number(process.env.FUZZ_REQUESTS ?? 600);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const together = 20;
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const landing = await shared(givenLanding({ leadRate: 1_000_000, leadBurst: 1_000_000, visitorBurst: 10_000_000 }));

const text = fc.oneof(
  fc.constantFrom(...hostileStrings.map((hostile) => hostile.toWellFormed())),
  fc.string({ unit: 'binary', maxLength: 300 }).map((one) => one.toWellFormed()),
  fc.string({ maxLength: 40 }),
  fc.constantFrom('', 'x'.repeat(5_000), 'ana@example.com', '+54 9 11 2345-6789', '-34.6,-58.4', '{gclid}', 'null'),
);
/** As a browser sends it, or byte by byte, as a broken link does. */
const written = fc.oneof(
  text.map(encodeURIComponent),
  text.map((one) =>
    Buffer.from(one)
      .toString('latin1')
      .replaceAll(/[^!-~]|[&;?#=]/g, ''),
  ),
);
const headerValue = text.map((one) =>
  Buffer.from(one)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ''),
);

const clickId = fc
  .string({ unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', '-', '_'), minLength: 30, maxLength: 90 })
  .map((one) => `Cj0KCQiA${one}`);
const otherNames = ['utm_source', 'utm_campaign', 'utm_content', 'email', 'lead', 'serviceId', '__proto__', 'q'];
const parameters = fc
  .array(fc.tuple(fc.constantFrom(...otherNames), written), { maxLength: 4 })
  .map((all) => all.map(([name, value]) => `${name}=${value}`));

/** How a link to the page may be written. */
const addresses = [
  (slug: string, query: string) => `/${slug}?${query}`,
  (slug: string, query: string) => `/${slug.toUpperCase()}?${query}`,
  (slug: string, query: string) => `//${slug}/?${query}`,
  (slug: string, query: string) => `/${slug}%20?${query}`,
  (slug: string, query: string) => `/${slug}&${query}`,
  (slug: string, query: string) => `/${slug}/index.html?${query}`,
] as const;

const visits = fc.record({
  mode: fc.constantFrom('direct', 'page'),
  addressOf: fc.constantFrom(...addresses),
  gclid: clickId,
  before: parameters,
  after: parameters,
  userAgent: headerValue.map((one) => `${browser} ${one}`).filter((one) => !isbot(one)),
  headers: fc.dictionary(
    fc.constantFrom('referer', 'accept-language', 'x-forwarded-for', 'x-forwarded-host', 'cookie', 'sec-gpc'),
    headerValue,
  ),
  form: fc.dictionary(fc.constantFrom('name', 'email', 'phone', 'referrer', 'consent', 'x'), text),
});

it(
  'whatever a visit has in any field, its lead is kept with its click id, unchanged',
  async () => {
    const direct = await landing.givenPage({ mode: 'direct' });
    const page = await landing.givenPage();
    const property = fc.asyncProperty(
      fc.array(visits, { minLength: together, maxLength: together }),
      async (several) => {
        await Promise.all(
          several.map(async ({ mode, addressOf, gclid, before, after, userAgent, headers, form }) => {
            const query = [...before, `gclid=${gclid}`, ...after].join('&');
            const path = addressOf(mode === 'direct' ? direct.slug : page.slug, query);
            const sent = { ...headers, 'user-agent': userAgent };
            const reply =
              mode === 'direct' ? await landing.visit(path, { headers: sent }) : await landing.submit(path, form, sent);
            expect([path, reply.status]).toEqual([path, mode === 'direct' ? 302 : 303]);
            // on a busy machine the lead may come to PostgreSQL by the broker, later
            const { clickParameters } = await eventually(() => landing.leadOf(reply));
            expect([path, clickParameters]).toMatchObject([path, { gclid }]);
          }),
        );
      },
    );
    await fc.assert(property, { seed, numRuns: Math.ceil(visitsMax / together), endOnFailure: true });
  },
  testMaxMs + visitsMax * 50,
);
