import { ApiKey } from '@leadback/db';
import { erasuresPerKeyAndDay, keyScopes } from '@leadback/domain';
import { hashApiKey } from '@leadback/secrets';
import { givenAccount, givenApiKey } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/endpoints/index.ts';
import { givenApi, type TestApi } from './given-api.ts';

const withScopes = endpoints.filter(({ needs }) => needs.length > 0);
const named = withScopes.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint] as const);

describe('the scopes of an API key', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it.each(named)(
    'are checked at %s, and a refusal names the one that is missing',
    async (_, { method, path, needs }) => {
      const em = api.database.em();
      const account = await givenAccount(em);
      const send = (key: string) =>
        api.send(method.toUpperCase(), `/api/v1${path.replaceAll(/:\w+/g, '1')}`, {
          key,
          ...(method !== 'get' && { body: {} }),
        });
      for (const missing of needs) {
        const others = keyScopes.filter((scope) => scope !== missing);
        const { status, headers, body } = await send(await givenApiKey(em, { account, scopes: others }));
        const message = `x-api-key: this key has not the scope "${missing}"; use a key that has it, or ask your operator for one`;
        expect([status, headers.get('leadback-error'), body]).toEqual([403, 'scope-missing', { message }]);
      }
      expect((await send(await givenApiKey(em, { account, scopes: needs }))).headers.get('leadback-error')).not.toBe(
        'scope-missing',
      );
    },
  );

  it('let each key check itself', async () => {
    for (const scope of keyScopes) {
      const key = await givenApiKey(api.database.em(), { scopes: [scope] });
      expect((await api.send('GET', '/api/v1/', { key })).status).toBe(200);
    }
  });

  it('limit the erasures of a key in a day, and not those of another key', async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const [key, other] = [await givenApiKey(em, { account }), await givenApiKey(em, { account })];
    const { id } = await em.findOneOrFail(ApiKey, { keyHash: hashApiKey(key) });
    await api.database.pool.query(
      `insert into erasure (id, account_id, asked_by, actor, named_by, state, finished_at)
       select 'filler ' || n, $1, 'partner', $2, 'lead', 'done', now() from generate_series(1, $3::int) n`,
      [account.id, `key ${id}`, erasuresPerKeyAndDay],
    );
    const erase = (by: string) =>
      api.send('POST', '/api/v1/client/erasure', { key: by, body: { email: 'ana@x.example' } });
    const refused = await erase(key);
    expect([refused.status, refused.headers.get('leadback-error')]).toEqual([429, 'rate-limited']);
    expect((await erase(other)).status).toBe(202);
    await api.database.pool.query(`update erasure set requested_at = now() - interval '25 hours'`);
    expect((await erase(key)).status).toBe(202);
  });
});
