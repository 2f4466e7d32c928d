import { givenAccount, givenApiKey, givenLead } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bodyReaderOf, type EndpointDescription } from '@leadback/server/http';
import { endpoints } from '../src/endpoints/index.ts';
import { givenApi, type TestApi } from './given-api.ts';

const bodySchema = z.record(z.string(), z.unknown());
const messageSchema = z.object({ message: z.string() });

const pathOf = (path: string) => `/api/v1${path.replaceAll(/:\w+/g, '1')}`;
const mediaTypeOf = (endpoint: EndpointDescription) => bodyReaderOf(endpoint)?.mediaType;
const withJson = endpoints.filter(
  (endpoint) => mediaTypeOf(endpoint) === 'application/json' && endpoint.input instanceof z.ZodObject,
);

describe('unknown fields', () => {
  let api: TestApi;
  const keys = { test: '', live: '' };
  let leadReference: string;
  beforeAll(async () => {
    api = await givenApi();
    const em = api.database.em();
    const account = await givenAccount(em);
    keys.test = await givenApiKey(em, { account, isTest: true });
    keys.live = await givenApiKey(em, { account });
    ({ reference: leadReference } = await givenLead(em, { account }));
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const messageOf = async (method: string, path: string, key: string, body?: unknown, type = 'application/json') => {
    const sent = body === undefined ? {} : { body, headers: { 'content-type': type } };
    const reply = await api.send(method, path, { key, ...sent });
    const { data } = messageSchema.safeParse(reply.body);
    return { status: reply.status, code: reply.headers.get('leadback-error'), message: data?.message ?? '' };
  };

  it.each(withJson.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint] as const))(
    '%s refuses an unknown field of the body with a test key, naming the nearest field, and ignores it with a live key',
    async (_, { method, path, input, examples = {} }) => {
      const [field = ''] = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
      const typo = field.slice(0, -1);
      const body = { ...bodySchema.parse(Object.values(examples)[0]), [typo]: 'x' };
      const strict = await messageOf(method.toUpperCase(), pathOf(path), keys.test, body);
      const message = expect.stringContaining(`${typo}: unknown field, did you mean ${field}?`);
      expect(strict).toEqual({ status: 400, code: 'invalid-fields', message });
      const lenient = await messageOf(method.toUpperCase(), pathOf(path), keys.live, body);
      expect(lenient.message).not.toContain('unknown field');
    },
  );

  it.each(endpoints.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint] as const))(
    '%s refuses an unknown parameter of the query with a test key, and ignores it with a live key',
    async (_, endpoint) => {
      const { method, path, examples = {} } = endpoint;
      const mediaType = mediaTypeOf(endpoint);
      const url = `${pathOf(path)}?verbose=1`;
      const body = mediaType === undefined ? undefined : Object.values(examples)[0];
      const strict = await messageOf(method.toUpperCase(), url, keys.test, body, mediaType);
      const message = expect.stringContaining('verbose: unknown field, ');
      expect(strict).toEqual({ status: 400, code: 'invalid-fields', message });
      const lenient = await messageOf(method.toUpperCase(), url, keys.live, body, mediaType);
      expect(lenient.message).not.toContain('unknown field');
    },
  );

  it('POST /reconciliation refuses an unknown field of the body with a test key, and ignores it with a live key', async () => {
    const path = '/api/v1/reconciliation?from=2026-10-01&to=2026-10-31';
    const body = { items: [], item: 'x' };
    const message = 'item: unknown field, did you mean items?';
    expect(await messageOf('POST', path, keys.test, body)).toEqual({ status: 400, code: 'invalid-fields', message });
    expect((await messageOf('POST', path, keys.live, body)).status).toBe(202);
  });

  it('POST /reconciliation refuses unknown fields of items with a test key, and ignores them with a live key', async () => {
    const path = '/api/v1/reconciliation?from=2026-10-01&to=2026-10-31';
    const sale = { conversionExternalReference: 'o-1', amount: 1, currency: 'USD' };
    const body = { items: [sale, 'no object', { ...sale, clientReference: 'c-1' }] };
    const message = 'items.2.clientReference: unknown field, did you mean clientExternalReference?';
    expect(await messageOf('POST', path, keys.test, body)).toEqual({ status: 400, code: 'invalid-fields', message });
    expect((await messageOf('POST', path, keys.test, { items: [sale, 'no object'] })).status).toBe(202);
    expect((await messageOf('POST', path, keys.live, body)).status).toBe(202);
  });

  it('with a test key, a batch refuses the items with unknown fields and registers the others', async () => {
    const items = [
      { leadReference, externalReference: 'strict-1' },
      { leadReference, externalReferenc: 'strict-2' },
    ];
    const { status, body } = await api.send('POST', '/api/v1/client/batch', { key: keys.test, body: { items } });
    const message = 'externalReferenc: unknown field, did you mean externalReference?';
    expect([status, body]).toMatchObject([
      200,
      { results: [{ outcome: 'created' }, { outcome: 'refused', code: 'invalid-fields', message }] },
    ]);
  });

  it('tells a misspelled field beside all other problems, and registers nothing', async () => {
    const body = { leadReference: 7, phone: '1' };
    expect(await messageOf('POST', '/api/v1/client', keys.test, body)).toEqual({
      status: 400,
      code: 'invalid-fields',
      message: 'leadReference: expected a string; phone: unknown field, did you mean phoneNumber?',
    });
  });
});
