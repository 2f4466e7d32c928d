import { randomInt } from 'node:crypto';
import { answerToBytes, testMaxMs } from '@leadback/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner } from './given-api.ts';

const requestsMax = Number(process.env.FUZZ_REQUESTS ?? 2_000);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
// as many batches as the api runs of an account: it refuses more as `overloaded`, which a slow machine would see
const together = 8;

const errorShape = z.strictObject({ message: z.string().min(1) });

/** The problem of a response, or undefined. */
const problemOf = (answer: string, wire: Buffer): string | undefined => {
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  if (statuses.some((status) => status >= 500)) return answer;
  const [status = 0] = statuses;
  if (statuses.length !== 1 || status < 400) return undefined;
  if (!/^x-request-id: \S+\r$/im.test(answer)) return `no x-request-id: ${answer}`;
  if (wire.toString('latin1').startsWith('HEAD')) return undefined;
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return errorShape.safeParse(JSON.parse(body)).success ? undefined : `not the shape of an error: ${answer}`;
};

it(
  'responds to arbitrary bytes without internal errors and without open connections',
  async () => {
    await using api = await givenApi();
    const { key, leadReference } = await givenPartner(api, { platforms: ['meta'] });

    const tally = new Map<string, number>();
    const several = fc.array(wildRequest({ key, leadReference }), { minLength: together, maxLength: together });
    const answered = fc.asyncProperty(several, async (wires) => {
      const answers = await Promise.all(wires.map(async (wire) => (await answerToBytes(api.port, wire)).toString()));
      for (const answer of answers) {
        const status = answer.slice(9, 12);
        tally.set(status, (tally.get(status) ?? 0) + 1);
      }
      expect(
        answers.map((answer, index) => problemOf(answer, wires[index] ?? Buffer.alloc(0))).filter(Boolean),
      ).toEqual([]);
    });
    const numRuns = Math.ceil(requestsMax / together);
    await fc.assert(answered, { seed, numRuns, endOnFailure: true });

    const counts = [...tally]
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(`fuzz: ${numRuns * together} requests, seed ${seed}; answers ${counts.join(', ')}\n`);
    expect(tally.get('')).toBeUndefined();
    expect(tally.get('201')).toBeGreaterThan(0);
    expect(tally.get('400')).toBeGreaterThan(0);
    expect((await api.send('GET', '/api/v1/', { key })).status).toBe(200);
  },
  testMaxMs + requestsMax * 10,
);

const sometimes = <T>(rare: fc.Arbitrary<T>, usual: T) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 40 }));
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constantFrom(null, '', -0, 1e308, 2 ** 53),
);
const bombs = ['['.repeat(30_000), `{"amount":${'9'.repeat(400)}}`, '{"amount":1e400}', '"\\ud800"', '{"a":1,"a":2}'];

/** A valid body with some fields changed. */
const mutated = (valid: object) =>
  fc
    .dictionary(
      sometimes(fc.constantFrom('__proto__', 'constructor'), '').chain((odd) =>
        odd === '' ? fc.constantFrom(...Object.keys(valid)) : fc.constant(odd),
      ),
      anything,
      { maxKeys: 2 },
    )
    .map((changes) => JSON.stringify({ ...valid, ...changes }));

// valid header text; `flips` adds invalid bytes
const headerText = fc.stringMatching(/^[\t\x20-\x7e]{0,300}$/);
const headerNames = [
  'idempotency-key',
  'x-request-id',
  'content-encoding',
  'x-forwarded-for',
  'expect',
  'transfer-encoding',
];

const asItem = (json: string): unknown => JSON.parse(json);

/** The key and lead reference of the requests. */
interface Target {
  readonly key: string;
  readonly leadReference: string;
}

/** A batch of changed bodies and of anything else. */
const batched = (path: string, valid: object) =>
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom(path, `${path}?dryRun=true`),
    body: fc
      .array(fc.oneof(mutated(valid).map(asItem), anything), { maxLength: 5 })
      .map((items) => JSON.stringify({ items })),
  });

const addressed = ({ leadReference }: Target) => {
  const client = { leadReference, name: 'Ana', email: 'ana@x.example', phoneNumber: '1', externalReference: 'C2' };
  const lead = {
    url: 'https://shop.example/?gclid=Cj0KCQiA7NO7BhDs&utm_campaign=spring',
    referrer: 'https://www.google.com/',
    ip: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
    cookies: { _fbp: 'fb.1.1700000000000.1234567890' },
    occurredAt: null,
    consent: { adUserData: 'granted' },
    globalPrivacyControl: false,
    page: null,
  };
  const order = {
    amount: 1,
    currency: 'USD',
    email: 'ana@x.example',
    clientExternalReference: 'C1',
    conversionExternalReference: null,
  };
  const adjustment = {
    conversionId: 1,
    conversionExternalReference: null,
    kind: 'restate',
    amount: 1,
    occurredAt: null,
    adjustmentExternalReference: null,
  };
  const wild = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'),
    path: fc.oneof(
      fc.constantFrom(
        '/',
        '/client/1',
        '/client/conversion/1',
        '/client/%00',
        '/client/%ff',
        '/client/9223372036854775808',
      ),
      fc.webPath().map((path) => `/client${path}`),
      fc.webQueryParameters().map((query) => `/client/conversion?externalReference=${query}`),
      fc.webQueryParameters().map((query) => `/client/batch?dryRun=${query}`),
      fc
        .tuple(fc.constantFrom('from', 'to', 'platform', 'state', 'limit', 'after'), fc.webQueryParameters())
        .map(([name, query]) => `/client/conversions?${name}=${query}`),
      fc.webQueryParameters().map((query) => `/report/quality?to=${query}`),
    ),
    body: fc.oneof(fc.json({ maxDepth: 6 }), fc.string({ unit: 'binary' }), fc.constantFrom(...bombs)),
  });
  const aimed = (path: string, valid: object) =>
    fc.record({
      method: fc.constant('POST'),
      path: fc.constant(path),
      body: sometimes(fc.constantFrom(...bombs), '').chain((bomb) =>
        bomb === '' ? mutated(valid) : fc.constant(bomb),
      ),
    });
  return fc.oneof(
    wild,
    aimed('/lead', lead),
    aimed('/client', client),
    aimed('/client/conversion', order),
    aimed('/client/conversion/adjustment', adjustment),
    batched('/client/batch', client),
    batched('/client/conversion/batch', { ...order, conversionExternalReference: 'order-1' }),
    batched('/reconciliation?from=2026-10-01&to=2026-10-31', { ...order, conversionExternalReference: 'order-1' }),
    aimed('/reconciliation/1/replay', { outcomes: ['missing'], dryRun: true }),
  );
};

const headers = ({ key }: Target) =>
  fc.record({
    key: sometimes(headerText, key),
    type: sometimes(headerText, 'application/json'),
    more: sometimes(
      fc.dictionary(fc.constantFrom(...headerNames), fc.oneof(headerText, fc.constantFrom('gzip', 'chunked', 'k')), {
        maxKeys: 2,
      }),
      {},
    ),
    lengthOff: sometimes(fc.integer({ min: -5, max: 0 }), 0),
  });

const flips = sometimes(fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { maxLength: 4 }), []);

/** A valid request with random changes, as bytes. */
const wildRequest = (target: Target) =>
  fc
    .tuple(addressed(target), headers(target), flips)
    .map(([{ method, path, body }, { key, type, more, lengthOff }, flipped]) => {
      const bytes = Buffer.from(body);
      const sent = {
        Host: 'x',
        'x-api-key': key,
        'content-type': type,
        'content-length': String(Math.max(0, bytes.length + lengthOff)),
        connection: 'close',
        ...more,
      };
      const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
      const wire = Buffer.concat([Buffer.from(`${method} /api/v1${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
      for (const [index, bits] of flipped) {
        const at = index % wire.length;
        wire[at] = (wire[at] ?? 0) ^ bits;
      }
      return wire;
    });
