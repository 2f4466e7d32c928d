import { givenAccount, givenApiKey } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from './given-api.ts';

describe('the API key', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it.each(['/api/v1', '/api/v1/'])('is confirmed by GET %s', async (path) => {
    const key = await givenApiKey(api.database.em());
    const { status, body } = await api.send('GET', path, { key });
    expect([status, body]).toEqual([200, { message: 'The API key is valid and active.' }]);
  });

  it('is asked for on every path under /api/v1, known or not', async () => {
    for (const path of ['/api/v1/', '/api/v1/client', '/api/v1/nothing', '/api/v1/client/conversion/1']) {
      const { status, body } = await api.send('GET', path);
      expect([status, body]).toEqual([401, { message: 'x-api-key: the header is missing' }]);
    }
    const key = await givenApiKey(api.database.em());
    expect((await api.send('GET', '/api/v1/nothing', { key })).status).toBe(404);
  });

  it('reads the same when it is unknown, mistyped or revoked', async () => {
    const revoked = await givenApiKey(api.database.em(), { revokedAt: new Date() });
    const known = await givenApiKey(api.database.em());
    const unknown = [revoked, 'lb_nothing', `${known.slice(0, -1)}-`];
    for (const key of unknown) {
      const { status, body } = await api.send('GET', '/api/v1/', { key });
      expect([status, body]).toEqual([401, { message: 'x-api-key: not a valid key' }]);
    }
  });

  it('says when it has expired', async () => {
    const key = await givenApiKey(api.database.em(), { expiresAt: new Date(Date.now() - 1000) });
    const { status, body } = await api.send('GET', '/api/v1/', { key });
    expect([status, body]).toEqual([401, { message: 'x-api-key: the key has expired; ask for a new one' }]);
  });

  it('is refused with 403 while the account is suspended', async () => {
    const account = await givenAccount(api.database.em(), { status: 'suspended' });
    const key = await givenApiKey(api.database.em(), { account });
    const { status, body } = await api.send('GET', '/api/v1/', { key });
    expect([status, body]).toEqual([403, { message: 'the account is suspended' }]);
  });

  it('comes with the id of the request in the answer, the one sent where it is sane', async () => {
    const sane = await api.send('GET', '/api/v1/', { headers: { 'x-request-id': 'order-7.1' } });
    expect(sane.headers.get('x-request-id')).toBe('order-7.1');
    const odd = await api.send('GET', '/api/v1/', { headers: { 'x-request-id': 'a b"<' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
