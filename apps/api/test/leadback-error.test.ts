import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Account, ApiKey } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import type { RefusalCode } from '@leadback/domain';
import {
  givenAccount,
  givenApiKey,
  givenClient,
  givenErased,
  givenLead,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { givenApi, type Reply } from './given-api.ts';

const genuine = () => issueLeadReference(leadReferenceKeys(secretsKeys));
const conversion = { amount: 1, currency: 'USD', clientExternalReference: 'C1' };

describe('the header Leadback-Error', async () => {
  const api = await shared(givenApi());
  afterEach(() => api.database.pool.query('delete from landing_instance'));

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const key = await givenApiKey(em, { account });
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      api.send('POST', `/api/v1${path}`, { key, body, headers });
    return { account, key, post };
  };
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
    'an unknown path': ['not-found', 404, ({ key }) => api.send('GET', '/api/v1/nothing', { key })],
    'a path outside of the API': ['not-found', 404, () => api.send('GET', '/nothing')],
    'an unsupported method': ['method-not-allowed', 405, ({ key }) => api.send('DELETE', '/api/v1/client', { key })],
    'an unsupported media type': [
      'unsupported-media-type',
      415,
      ({ post }) => post('/client', 'x', { 'content-type': 'text/plain' }),
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
    'an invalid field': [
      'invalid-fields',
      400,
      ({ post }) => post('/client/conversion', { ...conversion, amount: '1' }),
    ],
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
      async ({ post, account }) => {
        const { pool } = api.database;
        const { reference: leadReference } = await givenLead(api.database.em(), { account });
        await givenErased(api.database, account, { emails: ['gone@x.example'] });
        await pool.query(`update account set erased_persons = 'suppress' where id = $1`, [account.id]);
        return post('/client', { leadReference, email: 'Gone@X.example' });
      },
    ],
    'a file with an unknown column': [
      'invalid-fields',
      400,
      ({ post }) => post('/import?of=client', 'amount\n', { 'content-type': 'text/csv' }),
    ],
    'an import that is not CSV': ['unsupported-media-type', 415, ({ post }) => post('/import?of=client', {})],
    'an unknown import': ['not-found', 404, ({ key }) => api.send('GET', '/api/v1/import/999999', { key })],
    'the result of an unknown import': [
      'not-found',
      404,
      ({ key }) => api.send('GET', '/api/v1/import/999999/result.csv', { key }),
    ],
    'an unknown client': [
      'client-unknown',
      404,
      ({ post }) => post('/client/conversion', { ...conversion, clientExternalReference: 'nobody' }),
    ],
    'an unknown client id': ['client-unknown', 404, ({ key }) => api.send('GET', '/api/v1/client/999999', { key })],
    'a repeated conversion': [
      'conversion-repeated',
      400,
      async ({ post }) => {
        const order = { ...conversion, conversionExternalReference: 'order-1' };
        await post('/client/conversion', order);
        return post('/client/conversion', order);
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
      async ({ post }) => {
        await post('/client/conversion', { ...conversion, conversionExternalReference: 'order-2' });
        const note = { conversionExternalReference: 'order-2', adjustmentExternalReference: 'note-2' };
        await post('/client/conversion/adjustment', { ...note, kind: 'retract' });
        return post('/client/conversion/adjustment', { ...note, kind: 'retract' });
      },
    ],
    'an adjustment of a retracted conversion': [
      'invalid-fields',
      400,
      async ({ post }) => {
        await post('/client/conversion', { ...conversion, conversionExternalReference: 'order-3' });
        const retract = { conversionExternalReference: 'order-3', kind: 'retract' };
        await post('/client/conversion/adjustment', retract);
        return post('/client/conversion/adjustment', { ...retract, kind: 'restate', amount: 1 });
      },
    ],
    'an unknown conversion': [
      'conversion-unknown',
      404,
      ({ key }) => api.send('GET', '/api/v1/client/conversion?externalReference=x', { key }),
    ],
    'an unknown reconciliation': [
      'not-found',
      404,
      ({ key }) => api.send('GET', '/api/v1/reconciliation/999999', { key }),
    ],
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
      async ({ post }) => {
        const headers = { 'idempotency-key': unique('key') };
        await post('/client/conversion', conversion, headers);
        return post('/client/conversion', { ...conversion, amount: 2 }, headers);
      },
    ],
  };

  it.each(Object.entries(refused))('sends Leadback-Error for %s', async (_, [code, status, ask]) => {
    const reply = await ask(await givenPartner());
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
