import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Account, ApiKey } from '@leadback/db';
import type { RefusalCode } from '@leadback/domain';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { type EndpointDescription, bodyReaderOf } from '@leadback/server/http';
import { givenAccount, givenApiKey, givenErased, secretsKeys, shared, unique } from '@leadback/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/endpoints/index.ts';
import { type Reply, givenApi, givenPartner } from './given-api.ts';

const genuine = () => issueLeadReference(leadReferenceKeys(secretsKeys));

const api = await shared(givenApi());

describe('the header Leadback-Error', () => {
  afterEach(() => api.database.pool.query('delete from landing_instance'));

  type Partner = Awaited<ReturnType<typeof givenPartner>>;

  const refused: Readonly<Record<string, [RefusalCode, number, (partner: Partner) => Promise<Reply>]>> = {
    'no key': ['key-missing', 401, () => api.send('GET', '/api/v1/')],
    'an unknown key': ['key-invalid', 401, () => api.send('GET', '/api/v1/', { key: 'wrong' })],
    'an expired key': [
      'key-expired',
      401,
      async ({ account, key }) => {
        const past = new Date(Date.now() - 1_000);
        await api.database.em().nativeUpdate(ApiKey, { account: account.id }, { expiresAt: past });
        return api.send('GET', '/api/v1/', { key });
      },
    ],
    'a suspended account': [
      'account-suspended',
      403,
      async ({ account, key }) => {
        await api.database.em().nativeUpdate(Account, { id: account.id }, { status: 'suspended' });
        return api.send('GET', '/api/v1/', { key });
      },
    ],
    'a scope that the key has not': [
      'scope-missing',
      403,
      async ({ account }) => {
        const key = await givenApiKey(api.database.em(), { account, scopes: ['register'] });
        return api.send('GET', '/api/v1/client/1', { key });
      },
    ],
    'an unknown path': ['not-found', 404, ({ get }) => get('/nothing')],
    'a path outside of the API': ['not-found', 404, () => api.send('GET', '/nothing')],
    'an unsupported method': ['method-not-allowed', 405, ({ key }) => api.send('DELETE', '/api/v1/client', { key })],
    'an unsupported media type': [
      'unsupported-media-type',
      415,
      ({ post }) => post('/client', 'x', { headers: { 'content-type': 'text/plain' } }),
    ],
    'a body over 64 KiB': ['body-too-large', 413, ({ post }) => post('/client', { text: 'x'.repeat(70_000) })],
    'a batch over 1 MiB': ['body-too-large', 413, ({ post }) => post('/client/batch', { text: 'x'.repeat(1_100_000) })],
    'a batch that is no list': ['invalid-fields', 400, ({ post }) => post('/client/conversion/batch', { items: {} })],
    'a wrong parameter beside a body': [
      'invalid-fields',
      400,
      ({ post }) => post('/client/batch?dryRun=1', { items: [{}] }),
    ],
    'broken JSON': ['invalid-json', 400, ({ post }) => post('/client', '{')],
    'a body that is not UTF-8': ['invalid-json', 400, ({ post }) => post('/client', Buffer.of(0x22, 0xff, 0x22))],
    'an invalid field': ['invalid-fields', 400, ({ convert }) => convert({ amount: '1' })],
    'an unknown lead reference': ['lead-unknown', 404, ({ post }) => post('/client', { leadReference: 'damaged' })],
    'a lead that may still be buffered': [
      'lead-pending',
      503,
      async ({ post }) => {
        await api.database.pool.query(
          `insert into landing_instance (id, seen_at, is_behind) values ('a', now(), true)`,
        );
        return post('/client', { leadReference: genuine() });
      },
    ],
    'a client who was erased': [
      'suppressed',
      400,
      async ({ register, account }) => {
        await givenErased(api.database, account, { emails: ['gone@x.example'] });
        await api.database.pool.query(`update account set erased_persons = 'suppress' where id = $1`, [account.id]);
        return register({ email: 'Gone@X.example' });
      },
    ],
    'a file with an unknown column': [
      'invalid-fields',
      400,
      ({ post }) => post('/import?of=client', 'amount\n', { headers: { 'content-type': 'text/csv' } }),
    ],
    'an import that is not CSV': ['unsupported-media-type', 415, ({ post }) => post('/import?of=client', {})],
    'an unknown import': ['not-found', 404, ({ get }) => get('/import/999999')],
    'the result of an unknown import': ['not-found', 404, ({ get }) => get('/import/999999/result.csv')],
    'an unknown client': ['client-unknown', 404, ({ convert }) => convert({ clientExternalReference: 'nobody' })],
    'an unknown client id': ['client-unknown', 404, ({ get }) => get('/client/999999')],
    'a repeated conversion': [
      'conversion-repeated',
      400,
      async ({ convert }) => {
        await convert({ conversionExternalReference: 'order-1' });
        return convert({ conversionExternalReference: 'order-1' });
      },
    ],
    'an adjustment of an unknown conversion': [
      'conversion-unknown',
      404,
      ({ post }) => post('/client/conversion/adjustment', { conversionId: 999_999, kind: 'retract' }),
    ],
    'a repeated adjustment': [
      'adjustment-repeated',
      400,
      async ({ convert, post }) => {
        await convert({ conversionExternalReference: 'order-2' });
        const note = { conversionExternalReference: 'order-2', adjustmentExternalReference: 'note-2' };
        await post('/client/conversion/adjustment', { ...note, kind: 'retract' });
        return post('/client/conversion/adjustment', { ...note, kind: 'retract' });
      },
    ],
    'an adjustment of a retracted conversion': [
      'conversion-retracted',
      400,
      async ({ convert, post }) => {
        await convert({ conversionExternalReference: 'order-3' });
        const retract = { conversionExternalReference: 'order-3', kind: 'retract' };
        await post('/client/conversion/adjustment', retract);
        return post('/client/conversion/adjustment', { ...retract, kind: 'restate', amount: 1 });
      },
    ],
    'an unknown conversion': ['conversion-unknown', 404, ({ get }) => get('/client/conversion?externalReference=x')],
    'an unknown reconciliation': ['not-found', 404, ({ get }) => get('/reconciliation/999999')],
    'a replay before the comparison is done': [
      'idempotency-in-progress',
      409,
      async ({ account, post }) => {
        const { rows } = await api.database.pool.query<{ id: string }>(
          `insert into reconciliation (account_id, from_at, until_at, walked_at, step, due_at)
           select $1, now(), now(), now(), 'compare', 'infinity' returning id`,
          [account.id],
        );
        return post(`/reconciliation/${rows[0]?.id}/replay`, { outcomes: ['missing'] });
      },
    ],
    'a reused Idempotency-Key': [
      'idempotency-key-reused',
      422,
      async ({ convert }) => {
        const headers = { 'idempotency-key': unique('key') };
        await convert({}, { headers });
        return convert({ amount: 2 }, { headers });
      },
    ],
  };

  it.each(Object.entries(refused))('sends Leadback-Error for %s', async (_, [code, status, ask]) => {
    const reply = await ask(await givenPartner(api));
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([status, code]);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expect(reply.headers.has('retry-after')).toBe(status === 503);
  });

  it.each(['{', 'GET /\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'])(
    'sends Leadback-Error in response to the unreadable request %j',
    async (request) => {
      const socket = connect(api.port, '127.0.0.1');
      socket.write(`${request}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*\r\nLeadback-Error: invalid-fields\r\n/);
    },
  );
});

describe('the order of checks', async () => {
  const key = await givenApiKey(api.database.em());

  const tooLarge = { text: 'x'.repeat(70_000) };
  const plain = { 'content-type': 'text/plain' };
  const post = (body: unknown, headers: Record<string, string> = {}, path = '/api/v1/client') =>
    api.send('POST', path, { key, body, headers });

  it('checks the API key before the path, the method, the media type and the body', async () => {
    const wrong = 'lb_wrong';
    const replies = [
      await api.send('POST', '/api/v1/nothing', { key: wrong, body: tooLarge, headers: plain }),
      await api.send('DELETE', '/api/v1/client', { key: wrong }),
      await api.send('POST', '/api/v1/client', { key: wrong, body: tooLarge }),
      await api.send('POST', '/api/v1/client', { body: '{' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it('checks the account right after the API key', async () => {
    const account = await givenAccount(api.database.em(), { status: 'suspended' });
    const suspended = await givenApiKey(api.database.em(), { account });
    expect((await api.send('POST', '/api/v1/nothing', { key: suspended, body: '{' })).status).toBe(403);
  });

  it('checks the path before the method, and both before the body', async () => {
    expect((await post('{', plain, '/api/v1/nothing')).status).toBe(404);
    expect((await api.send('PATCH', '/api/v1/client', { key, body: '{', headers: plain })).status).toBe(405);
  });

  it('checks the media type before the size, the size before the JSON, and the JSON before the rules', async () => {
    expect((await post(tooLarge, plain)).status).toBe(415);
    expect((await post(`{${'x'.repeat(70_000)}`)).status).toBe(413);
    expect((await post('{')).body).toEqual({ message: 'body: expected valid JSON' });
    expect((await post({ leadReference: 'x', name: 7 })).status).toBe(400);
    expect((await post({ leadReference: 'x' })).status).toBe(404);
  });

  it.each([
    ['an empty body', '', 'application/json', 400, 'body: expected valid JSON'],
    ['a compressed body', '{}', 'application/json', 415, 'Content-Encoding: send the body uncompressed'],
    ['a form', 'leadReference=x', 'application/x-www-form-urlencoded', 415, 'Content-Type: expected application/json'],
    ['another charset', '{}', 'application/json; charset=iso-8859-1', 415, 'Content-Type: expected charset utf-8'],
  ])('refuses a request with %s', async (what, body, type, status, message) => {
    const encoding = what === 'a compressed body' ? { 'content-encoding': 'gzip' } : {};
    const headers = { 'content-type': type, ...encoding };
    const reply = await api.send('POST', '/api/v1/client', { key, headers, body });
    expect([reply.status, reply.body]).toEqual([status, { message }]);
  });

  it.each(['application/json', 'application/json; charset=utf-8'])(
    'refuses a request with the Content-Type %s and neither Content-Length nor Transfer-Encoding with 415',
    async (type) => {
      const socket = connect(api.port, '127.0.0.1');
      const head = ['POST /api/v1/client HTTP/1.1', 'Host: x', 'Connection: close', `x-api-key: ${key}`];
      socket.write([...head, `Content-Type: ${type}`, '', ''].join('\r\n'));
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 415 /);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])(
    'accepts the Content-Type %s',
    async (type) => {
      expect((await post({ leadReference: 'x' }, { 'content-type': type })).status).toBe(404);
    },
  );

  it.each(['/api/v1/nothing', '/api/v1//client', '/api/v1/Client', '/api/v2/', '/', '/docs/nothing'])(
    'answers 404 with a message to the path %s',
    async (path) => {
      const reply = await api.send('GET', path, { key });
      expect([reply.status, reply.body]).toEqual([404, { message: expect.stringMatching(/^no such path; .+/) }]);
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('answers HEAD like GET without a body, and OPTIONS with the allowed methods', async () => {
    const head = await api.send('HEAD', '/api/v1/', { key });
    expect([head.status, head.body]).toEqual([200, undefined]);
    const options = await api.send('OPTIONS', '/api/v1/client/conversion', { key });
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD']);
  });
});

const bodySchema = z.record(z.string(), z.unknown());
const messageSchema = z.object({ message: z.string() });

const pathOf = (path: string) => `/api/v1${path.replaceAll(/:\w+/g, '1')}`;
const mediaTypeOf = (endpoint: EndpointDescription) => bodyReaderOf(endpoint)?.mediaType;
const withJson = endpoints.filter(
  (endpoint) => mediaTypeOf(endpoint) === 'application/json' && endpoint.input instanceof z.ZodObject,
);

describe('unknown fields', async () => {
  const live = await givenPartner(api);
  const test = await givenPartner(api, { account: live.account, isTest: true });
  const keys = { live: live.key, test: test.key };

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
    '%s refuses an unknown parameter of the query, with a test key and a live key',
    async (_, endpoint) => {
      const { method, path, examples = {} } = endpoint;
      const mediaType = mediaTypeOf(endpoint);
      const url = `${pathOf(path)}?verbose=1`;
      const body = mediaType === undefined ? undefined : Object.values(examples)[0];
      const message = expect.stringContaining('verbose: unknown field, ');
      for (const key of [keys.test, keys.live]) {
        const reply = await messageOf(method.toUpperCase(), url, key, body, mediaType);
        expect(reply).toEqual({ status: 400, code: 'invalid-fields', message });
      }
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
    const row = { conversionExternalReference: 'o-1', amount: 1, currency: 'USD' };
    const body = { items: [row, 'no object', { ...row, clientReference: 'c-1' }] };
    const message = 'items.2.clientReference: unknown field, did you mean clientExternalReference?';
    expect(await messageOf('POST', path, keys.test, body)).toEqual({ status: 400, code: 'invalid-fields', message });
    expect((await messageOf('POST', path, keys.test, { items: [row, 'no object'] })).status).toBe(202);
    expect((await messageOf('POST', path, keys.live, body)).status).toBe(202);
  });

  it('with a test key, a batch refuses the items with unknown fields and registers the others', async () => {
    const { leadReference } = test;
    const { results } = await test.clients([
      { leadReference, externalReference: 'strict-1' },
      { leadReference, externalReferenc: 'strict-2' },
    ]);
    const message = 'externalReferenc: unknown field, did you mean externalReference?';
    expect(results).toMatchObject([{ outcome: 'created' }, { outcome: 'refused', code: 'invalid-fields', message }]);
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
