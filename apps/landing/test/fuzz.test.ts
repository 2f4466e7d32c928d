import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerToBytes, givenLandingPage, hostileStrings, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

const requestsMax = Number(process.env.FUZZ_REQUESTS ?? 2_000);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const together = 40;

// a tag, an attribute and a header that only a page could have written that does not escape
const isInjected = (answer: string) => /<fuzz|fuzz"'>|^fuzz:|<script>hit|onerror=hit=true>/im.test(answer);

/** The problem of a response, or undefined. A prefetch of a direct page is declined with 503. */
const problemOf = (answer: string, wire: Buffer): string | undefined => {
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  const isPrefetch = /prefetch|prerender|preview/i.test(wire.toString('latin1'));
  if (statuses.some((status) => status >= 500 && !(status === 503 && isPrefetch))) return answer;
  if (isInjected(answer)) return `not escaped: ${answer}`;
  return statuses[0] === undefined ? 'no response' : undefined;
};

/** The heap in use, after its garbage was collected. */
const heapBytes = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
};
const growthMaxBytes = 20 * 1024 * 1024;

it(
  'landing responds to arbitrary visits without internal errors, and escapes what it shows again',
  async () => {
    const limits = { leadRate: 1_000_000, leadBurst: 1_000_000, visitorBurst: 10_000_000 };
    await using landing = await givenLanding(limits);
    const em = landing.database.em();
    const pages = [
      await givenLandingPage(em, { askedFields: ['name', 'email', 'phone'], consentText: 'I agree' }),
      await givenLandingPage(em, { consentText: 'I agree', consentScope: 'personalisation' }),
      await givenLandingPage(em, { mode: 'direct' }),
    ];
    const slugs = pages.map(({ slug }) => slug);

    const tally = new Map<string, number>();
    let heapAfterStart = 0;
    let sent = 0;
    let escaped = 0;
    const several = fc.array(wildVisit(slugs), { minLength: together, maxLength: together });
    const answered = fc.asyncProperty(several, async (wires) => {
      const answers = await Promise.all(
        wires.map(async (wire) => (await answerToBytes(landing.port, wire)).toString('latin1')),
      );
      for (const answer of answers) {
        const status = answer.slice(9, 12);
        tally.set(status, (tally.get(status) ?? 0) + 1);
        if (answer.includes('&lt;fuzz')) escaped += 1;
      }
      const problems = answers.map((answer, index) => problemOf(answer, wires[index] ?? Buffer.alloc(0)));
      expect(problems.filter(Boolean)).toEqual([]);
      sent += wires.length;
      // caches are full by then
      if (heapAfterStart === 0 && sent >= requestsMax / 4) heapAfterStart = heapBytes();
    });
    const numRuns = Math.ceil(requestsMax / together);
    await fc.assert(answered, { seed, numRuns, endOnFailure: true });

    const grownBytes = heapBytes() - heapAfterStart;
    const counts = [...tally]
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(
      `fuzz of landing: ${sent} requests, seed ${seed}; heap grew ${grownBytes} bytes; ${escaped} with escaped markup; answers ${counts.join(', ')}\n`,
    );
    expect(escaped).toBeGreaterThan(0);
    expect(grownBytes).toBeLessThan(growthMaxBytes);
    for (const status of ['200', '303', '302', '400', '404', '422'])
      expect([status, tally.get(status) ?? 0]).not.toEqual([status, 0]);
    expect((await landing.visit(`/${slugs[0]}`)).status).toBe(200);
  },
  testMaxMs + requestsMax * 10,
);

/** In each request: text that must not leave the place where a page shows it, or become a header. */
const markup = `fuzz"'><fuzz onfuzz=1>\r\nfuzz: 1`;

const sometimes = <Value>(rare: fc.Arbitrary<Value>, usual: Value) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });

const text = fc.oneof(
  fc.constant(markup),
  fc.constantFrom(...hostileStrings.map((hostile) => hostile.toWellFormed())),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom('', 'x'.repeat(9_000), '%', '%ff', '%00', '%c0%af'),
);
// as it is, or encoded as browsers do
const written = fc
  .tuple(text, fc.boolean())
  .map(([one, isEncoded]) => (isEncoded ? encodeURIComponent(one.toWellFormed()) : one));

const pairs = (names: readonly string[], joint: string) =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...names), written), written), { maxLength: 5 })
    .map((all) => all.map(([name, value]) => `${name}=${value}`).join(joint));

const queryNames = ['gclid', 'fbclid', 'ttclid', 'msclkid', 'utm_source', 'serviceId', 'target', '__proto__', 'lead'];
const fieldNames = [
  'name',
  'email',
  'phone',
  'asked',
  'proof',
  'consent',
  'referrer',
  'token',
  'lead',
  '__proto__',
  'a[b]',
];
const cookieNames = ['clicks-1', '_fbp', '_fbc', 'lead-a', 'lead-z', '__proto__', 'constructor'];

// what Node.js takes as the value of a header
const headerValue = text.map((one) =>
  Buffer.from(one)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ''),
);
const headerNames = [
  'referer',
  'user-agent',
  'accept-language',
  'accept-encoding',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'sec-fetch-site',
  'sec-fetch-dest',
  'sec-purpose',
  'sec-gpc',
  'origin',
  'content-encoding',
  'content-type',
  'range',
  'if-none-match',
];

const pathTo = (slugs: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...slugs.map((slug) => `/${slug}`)) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '/data',
        '/data/consent',
        '/data/erase',
        '/data/receipt/1',
        '/media/x.png',
        '/preview/x',
        '/.well-known/leadback-receipts.json',
        '/%00',
        '/%ff',
        '//evil.example',
        '/../etc/passwd',
        '*',
        'http://evil.example/',
      ),
    },
    { weight: 1, arbitrary: fc.webPath() },
    { weight: 1, arbitrary: written.map((one) => `/${one}`) },
    { weight: 1, arbitrary: written.map((one) => `/data/receipt/${one}`) },
    { weight: 1, arbitrary: written.map((one) => `/preview/${one}`) },
  );

const flips = sometimes(fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { maxLength: 4 }), []);

/** A visit with random changes, as bytes. */
const wildVisit = (slugs: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .record({
      method: sometimes(fc.constantFrom('HEAD', 'PUT', 'OPTIONS', 'DELETE', 'PROPFIND'), 'GET').chain((method) =>
        method === 'GET' ? fc.constantFrom('GET', 'POST') : fc.constant(method),
      ),
      path: pathTo(slugs),
      query: pairs(queryNames, '&'),
      form: fc.oneof({ weight: 5, arbitrary: pairs(fieldNames, '&') }, { weight: 1, arbitrary: written }),
      cookie: pairs(cookieNames, '; '),
      headers: fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 4 }),
      odd: sometimes<object>(fc.constantFrom({ expect: 'x' }, { 'transfer-encoding': 'chunked' }, { host: '' }), {}),
      lengthOff: sometimes(fc.integer({ min: -5, max: 0 }), 0),
      flipped: flips,
    })
    .map(({ method, path, query, form, cookie, headers, odd, lengthOff, flipped }) => {
      const body = Buffer.from(form);
      const sent = {
        host: 'x',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Math.max(0, body.length + lengthOff)),
        connection: 'close',
        cookie: cookie.replaceAll(/[\r\n\0]/g, ''),
        ...headers,
        ...odd,
      };
      const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
      const target = encodeURI(`${path}?${query}`.toWellFormed()).replaceAll('%25', '%');
      const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
      const wire = Buffer.concat([head, body]);
      for (const [index, bits] of flipped) {
        const at = index % wire.length;
        wire[at] = (wire[at] ?? 0) ^ bits;
      }
      return wire;
    });
