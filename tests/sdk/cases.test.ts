import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiKey, givenSdk, languages } from './languages.ts';
import { responseSchema, givenScriptedApi, type ReceivedRequest } from './scripted-api.ts';

const exchange = z.strictObject({
  title: z.string(),
  options: z.record(z.string(), z.unknown()).default({}),
  call: z.string(),
  arguments: z.array(z.unknown()).default([]),
  responses: z.array(responseSchema),
  /** What the requests must be, as far as it is said. */
  requests: z
    .array(
      z.strictObject({
        method: z.string().optional(),
        url: z.string().optional(),
        query: z.record(z.string(), z.string()).optional(),
        body: z.unknown().optional(),
        hasIdempotencyKey: z.boolean().optional(),
        idempotencyKey: z.string().optional(),
      }),
    )
    .default([]),
  pausesMinMs: z.array(z.number()).default([]),
  outcome: z.unknown(),
});

const construction = z.strictObject({
  title: z.string(),
  options: z.record(z.string(), z.unknown()),
  /** The option that the error names. */
  names: z.string(),
});

const leadReference = z.strictObject({ title: z.string(), text: z.string().nullable(), isAccepted: z.boolean() });

const webhook = z.strictObject({
  title: z.string(),
  signedWith: z.array(z.enum(['current', 'other'])),
  reason: z.string().default('too old'),
  ageSeconds: z.number().default(0),
  isUpperCase: z.boolean().default(false),
  isChanged: z.boolean().default(false),
  without: z.string().optional(),
  /** Of the error; without one, the webhook is accepted. */
  code: z.string().optional(),
});

const casesSchema = z.strictObject({
  exchanges: z.array(exchange),
  constructions: z.array(construction),
  leadReferences: z.array(leadReference),
  webhooks: z.array(webhook),
});

/** What every SDK must do, whatever its language. */
const cases = casesSchema.parse(JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8')));

type Exchange = z.infer<typeof exchange>;

const pausesMs = (requests: readonly ReceivedRequest[]) =>
  requests.slice(1).map(({ receivedAtMs }, index) => receivedAtMs - (requests[index]?.receivedAtMs ?? 0));

const expectRequest = (request: ReceivedRequest | undefined, expected: Exchange['requests'][number]) => {
  const { body, hasIdempotencyKey = false, idempotencyKey, ...rest } = expected;
  expect(request).toMatchObject(rest);
  const key = request?.headers['idempotency-key'];
  if (idempotencyKey !== undefined) expect(key).toBe(idempotencyKey);
  if (hasIdempotencyKey) expect(key).toMatch(/^[\x21-\x7e]{16,255}$/);
  if (body === undefined) return;
  expect(JSON.parse(request?.text ?? '')).toEqual(body);
  expect(request?.headers['content-type']).toBe('application/json');
};

const secrets = { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', other: 'whsec_aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=' };

describe.each(languages)('the SDK for $language', (language) => {
  const sdk = givenSdk(language);
  afterAll(() => sdk[Symbol.asyncDispose]());

  it.concurrent.each(cases.exchanges)('$title', async (given) => {
    const { responses, outcome, options, requests: expected, pausesMinMs, ...call } = given;
    await using api = await givenScriptedApi((_request, index) => responses[index] ?? 'reset');
    const found = await sdk.call({ ...call, options: { baseUrl: `${api.url}/api/v1/`, ...options } });

    expect(found).toMatchObject({ ...Object(outcome) });
    expect(api.requests).toHaveLength(responses.length);
    for (const [index, one] of expected.entries()) expectRequest(api.requests[index], one);
    for (const request of api.requests) expect(request.headers['x-api-key']).toBe(apiKey);
    const sent = api.requests.map(({ method, url, text, headers }) => [method, url, text, headers['idempotency-key']]);
    // each page is a request of its own
    expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBeLessThanOrEqual(
      given.call === 'listConversions' ? 3 : 1,
    );
    for (const [index, ms] of pausesMinMs.entries()) expect(pausesMs(api.requests)[index]).toBeGreaterThanOrEqual(ms);
    expect(JSON.stringify(found)).not.toContain(apiKey);
  });

  it.concurrent.each(cases.constructions)(
    'refuses $title when it is constructed, without quoting it',
    async (given) => {
      const { options, names } = given;
      const found = await sdk.call({ options, call: 'checkKey' });
      const thrown = 'thrown' in found ? found.thrown : '';
      expect(thrown.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())).toMatch(new RegExp(`^${names}`));
      expect(thrown).not.toContain('secret');
    },
  );

  it.concurrent.each(cases.leadReferences)(
    'judges the form of a lead reference: $title',
    async ({ text, isAccepted }) => {
      const found = await sdk.call({ call: 'looksLikeLeadReference', arguments: [text] });
      expect(found).toEqual({ result: isAccepted });
    },
  );

  it.concurrent.each(cases.webhooks)('$title', async ({ signedWith, reason, ageSeconds, code, ...given }) => {
    const event = { type: 'delivery.failed', timestamp: '2026-11-22T12:00:00Z', data: { conversionId: 31, reason } };
    const body = JSON.stringify(event);
    const sentAt = new Date(Date.now() - ageSeconds * 1000);
    const headers = Object.entries({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signedWith.map((name) => new Webhook(secrets[name]).sign('msg_1', sentAt, body)).join(' '),
      'content-type': 'application/json',
    })
      .filter(([name]) => name !== given.without)
      .map(([name, value]) => [given.isUpperCase ? name.toUpperCase() : name, value] as const);
    const received = given.isChanged ? body.replace('31', '32') : body;
    const found = await sdk.call({
      call: 'verifyWebhook',
      arguments: [received, Object.fromEntries(headers), secrets.current],
    });
    expect(found).toMatchObject(code === undefined ? { result: event } : { error: { status: 0, code } });
  });
});
