import { ApiKey } from '@leadback/db';
import { erasuresPerKeyAndDay, keyScopes } from '@leadback/domain';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { hashApiKey } from '@leadback/domain/keys';
import { givenAccount, givenApiKey, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../src/endpoints/index.ts';
import { givenApi } from './given-api.ts';

const withScopes = endpoints.filter(({ needs }) => needs.length > 0);
const named = withScopes.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint] as const);

describe('the scopes of an API key', async () => {
  const api = await shared(givenApi());

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
    await api.database.pool.query(`update erasure set decided_at = now() - interval '25 hours'`);
    expect((await erase(key)).status).toBe(202);
  });

  it('limit what a key confirms and takes over of what visitors asked for days before', async () => {
    const em = api.database.em();
    const { pool } = api.database;
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const { id } = await em.findOneOrFail(ApiKey, { keyHash: hashApiKey(key) });
    await pool.query(
      `insert into erasure (id, account_id, asked_by, actor, named_by, state, finished_at)
       select 'earlier ' || n, $1, 'partner', $2, 'lead', 'done', now() from generate_series(1, $3::int) n`,
      [account.id, `key ${id}`, erasuresPerKeyAndDay - 2],
    );
    const ofVisitor = (leadReference: string) =>
      askErasure(pool, erasureKeys(secretsKeys), {
        accountId: account.id,
        askedBy: 'visitor',
        actor: 'visitor',
        subject: { leadReference },
      });
    const asked = await Promise.all(['a', 'b', 'c'].map((letter) => ofVisitor(letter.repeat(22))));
    const [first, , last] = asked;
    await pool.query(
      `update erasure set requested_at = now() - interval '3 days', decided_at = now() - interval '3 days',
              state = case when id = $2 then 'pending' else 'asked' end, due_at = now() + interval '1 day'
       where id = any($1)`,
      [asked, asked[1]],
    );
    const confirm = (one = '') => api.send('POST', `/api/v1/client/erasure/${one}/confirmation`, { key });
    const erase = (leadReference: string) =>
      api.send('POST', '/api/v1/client/erasure', { key, body: { leadReference } });
    expect((await confirm(first)).status).toBe(202);
    expect(await erase('b'.repeat(22))).toMatchObject({ status: 202, body: { id: asked[1] } });
    for (const refused of [await confirm(last), await erase('d'.repeat(22))]) {
      expect([refused.status, refused.headers.get('leadback-error')]).toEqual([429, 'rate-limited']);
    }
  });
});
