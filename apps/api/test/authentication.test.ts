import { ApiKey } from '@leadback/db';
import { apiKeyFinder } from '@leadback/core/api-keys/find-api-key';
import { hashApiKey, issueApiKey } from '@leadback/domain/keys';
import { eventually, givenAccount, givenApiKey, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

describe('the API key', async () => {
  const api = await shared(givenApi());

  it.each(['/api/v1', '/api/v1/'])('confirms a valid API key at GET %s', async (path) => {
    const key = await givenApiKey(api.database.em());
    const { status, body } = await api.send('GET', path, { key });
    expect([status, body]).toEqual([200, { message: 'The API key is valid and active.' }]);
  });

  it('requires an API key on every path under /api/v1, known or not', async () => {
    for (const path of ['/api/v1/', '/api/v1/client', '/api/v1/nothing', '/api/v1/client/conversion/1']) {
      const { status, body } = await api.send('GET', path);
      expect([status, body]).toEqual([401, { message: 'x-api-key: the header is missing' }]);
    }
    const key = await givenApiKey(api.database.em());
    expect((await api.send('GET', '/api/v1/nothing', { key })).status).toBe(404);
  });

  it('responds alike to unknown and revoked API keys', async () => {
    const revoked = await givenApiKey(api.database.em(), { revokedAt: new Date() });
    for (const key of [revoked, issueApiKey(), 'lb_nothing', 'a key of another service']) {
      const { status, body } = await api.send('GET', '/api/v1/', { key });
      expect([status, body]).toEqual([
        401,
        { message: 'x-api-key: not a valid key; check that it is whole and has not been revoked' },
      ]);
    }
  });

  it('reports a typo in an API key', async () => {
    const key = await givenApiKey(api.database.em());
    const mistyped = key.slice(0, 10) + (key[10] === 'x' ? 'y' : 'x') + key.slice(11);
    const { status, body } = await api.send('GET', '/api/v1/', { key: mistyped });
    expect([status, body]).toEqual([401, { message: 'x-api-key: the key has a typo; copy it exactly as issued' }]);
  });

  it('refuses a revoked API key within 10 s on every instance', async () => {
    const em = api.database.em();
    const key = await givenApiKey(em);
    await using other = await givenApi({ database: api.database });
    const statuses = () =>
      Promise.all([api, other].map(async (instance) => (await instance.send('GET', '/api/v1/', { key })).status));
    expect(await statuses()).toEqual([200, 200]);
    await em.nativeUpdate(ApiKey, { keyHash: hashApiKey(key) }, { revokedAt: new Date() });
    await eventually(async () => expect(await statuses()).toEqual([401, 401]), {
      timeout: 10_000,
      interval: 200,
    });
  });

  it('saves the last use of an API key at most once a minute', async () => {
    const em = api.database.em();
    const key = await givenApiKey(em);
    const keyHash = hashApiKey(key);
    const find = () => apiKeyFinder(api.database.pool)(keyHash.toString('hex'));
    expect(await find()).toMatchObject({ isUseUnnoted: true });
    await api.send('GET', '/api/v1/', { key });
    await eventually(async () => expect(await find()).toMatchObject({ isUseUnnoted: false }));
    expect((await api.database.em().findOneOrFail(ApiKey, { keyHash })).lastUsedAt).not.toBeNull();
    await em.nativeUpdate(ApiKey, { keyHash }, { lastUsedAt: new Date(Date.now() - 61_000) });
    expect(await find()).toMatchObject({ isUseUnnoted: true });
  });

  it('reports an expired API key', async () => {
    const key = await givenApiKey(api.database.em(), { expiresAt: new Date(Date.now() - 1000) });
    const { status, body } = await api.send('GET', '/api/v1/', { key });
    expect([status, body]).toEqual([401, { message: 'x-api-key: the key has expired; ask for a new one' }]);
  });

  it('answers 403 to an API key of a suspended account', async () => {
    const account = await givenAccount(api.database.em(), { status: 'suspended' });
    const key = await givenApiKey(api.database.em(), { account });
    const { status, body } = await api.send('GET', '/api/v1/', { key });
    expect([status, body]).toEqual([403, { message: 'the account is suspended' }]);
  });

  it('returns x-request-id: that of the caller if it is valid, otherwise a new one', async () => {
    const valid = await api.send('GET', '/api/v1/', { headers: { 'x-request-id': 'order-7.1' } });
    expect(valid.headers.get('x-request-id')).toBe('order-7.1');
    const invalid = await api.send('GET', '/api/v1/', { headers: { 'x-request-id': 'a b"<' } });
    expect(invalid.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
