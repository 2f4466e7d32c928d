import { apiKeyFinder } from '@leadback/core/api-keys/find-api-key';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { Account, ApiKey } from '@leadback/db';
import { erasuresPerKeyAndDay, keyScopes } from '@leadback/domain';
import { hashApiKey, issueApiKey } from '@leadback/domain/keys';
import { createLogger } from '@leadback/server/app';
import { errorResponder, requestLog, serve } from '@leadback/server/http';
import { eventually, givenAccount, givenApiKey, givenSockets, secretsKeys, shared } from '@leadback/testing';
import { freePort } from '@leadback/testing/stack';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { type ApiKeyCache, apiKeyCache, authenticate, limitRate } from '../src/authenticate.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { type Reply, givenApi } from './given-api.ts';

const api = await shared(givenApi());

describe('the API key', () => {
  it.each([
    ['/api/v1', 'live'],
    ['/api/v1/', 'test'],
  ])('confirms a valid API key at GET %s, and says that it is a %s key, and of whom', async (path, mode) => {
    const account = await givenAccount(api.database.em());
    const key = await givenApiKey(api.database.em(), { account, isTest: mode === 'test' });
    const { status, body } = await api.send('GET', path, { key });
    const message = `The API key is valid and active: a ${mode} key of ${account.name}.`;
    expect([status, body]).toEqual([200, { message }]);
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
    for (const key of [revoked, issueApiKey({ isTest: false }), 'lb_nothing', 'a key of another service']) {
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

const withScopes = endpoints.filter(({ needs }) => needs.length > 0);
const endpointsByName = withScopes.map(
  (endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint] as const,
);

describe('the scopes of an API key', () => {
  it.each(endpointsByName)(
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

describe('apiKeyCache', () => {
  const { database } = api;

  /** Looks a key up ten times and returns the number of queries. */
  const findTenTimes = async (key: string) => {
    const keys = apiKeyCache(database.pool, (error) => {
      throw error;
    });
    let queries = 0;
    const count = () => {
      queries += 1;
    };
    database.pool.on('acquire', count);
    const found = await keys.find(key);
    for (let again = 0; again < 9; again += 1) await keys.find(key);
    database.pool.off('acquire', count);
    return { isValid: found !== undefined, queries };
  };

  // otherwise callers could distinguish keys by response time; saving the last use is not awaited
  it('queries the database once for a valid API key and for each kind of invalid one', async () => {
    const valid = await givenApiKey(database.em());
    await database.pool.query('update api_key set last_used_at = now()');
    expect(await findTenTimes(valid)).toEqual({ isValid: true, queries: 1 });
    const revoked = await givenApiKey(database.em(), { revokedAt: new Date() });
    for (const invalid of [issueApiKey({ isTest: false }), revoked, `${valid}x`, 'x', '']) {
      expect(await findTenTimes(invalid)).toEqual({ isValid: false, queries: 1 });
    }
  });
});

const givenKey = async (rateLimit: number) => {
  const account = await givenAccount(api.database.em(), { rateLimit });
  return { account, key: await givenApiKey(api.database.em(), { account }) };
};

const check = (key: string) => api.send('GET', '/api/v1/', { key });

describe('the rate of a key', () => {
  it('allows 200 requests per second and a burst of 400 by default, or the rate of the account', async () => {
    const em = api.database.em();
    const account = em.create(Account, { name: 'by default' });
    await em.persist(account).flush();
    const { headers } = await check(await givenApiKey(em, { account }));
    expect(headers.get('ratelimit-policy')).toBe('"key";q=400;w=2');
    expect(headers.get('ratelimit')).toBe('"key";r=399;t=1');
  });

  it('answers 429 beyond the rate with the seconds to wait, and accepts requests after that', async () => {
    const { key } = await givenKey(1);
    const replies = await Promise.all(Array.from({ length: 10 }, () => check(key)));
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('ratelimit')).toBe('"key";r=0;t=2');
      expect(body).toEqual({ message: 'more than 1 requests a second with this key; try again in 1 s' });
    }
    await eventually(async () => expect((await check(key)).status).toBe(200));
  });

  it('limits each API key of an account separately', async () => {
    const { account, key } = await givenKey(1);
    const other = await givenApiKey(api.database.em(), { account });
    await Promise.all(Array.from({ length: 5 }, () => check(key)));
    expect((await check(key)).status).toBe(429);
    expect((await check(other)).status).toBe(200);
  });

  it('checks the rate after the API key and before everything else', async () => {
    const { key } = await givenKey(1);
    await Promise.all([check(key), check(key)]);
    const replies = [
      await api.send('POST', '/api/v1/client', { key, body: 'no JSON', headers: { 'content-type': 'text/plain' } }),
      await api.send('GET', '/api/v1/nothing', { key }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([429, 429]);
  });
});

describe('an IP address that sends invalid keys', async () => {
  const another = await shared(givenApi());

  it('answers 429 after too many invalid keys from an IP address, but accepts valid keys, also those that are new to it', async () => {
    const unseen = [await givenApiKey(another.database.em()), await givenApiKey(another.database.em())];
    const tryKey = (tried: string) => another.send('GET', '/api/v1/', { key: tried });
    const refused: Reply[] = [];
    // in small groups: concurrent lookups do not count as invalid yet
    for (let tried = 0; tried < 2_000 && refused.length <= 100; tried += 25) {
      const replies = await Promise.all(Array.from({ length: 25 }, () => tryKey(issueApiKey({ isTest: false }))));
      refused.push(...replies.filter(({ status }) => status === 429));
    }
    expect(refused.length).toBeGreaterThan(100);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.body).toEqual({
      message: 'x-api-key: too many invalid keys from this IP address; check the key, then try again',
    });
    for (const key of unseen) {
      const [{ status }, ...others] = await Promise.all([
        tryKey(key),
        ...Array.from({ length: 100 }, (_, index) =>
          tryKey(index % 2 === 0 ? issueApiKey({ isTest: false }) : `no key ${index}`),
        ),
      ]);
      expect(status).toBe(200);
      expect(others.filter((reply) => reply.status === 429)).not.toEqual([]);
    }
  });
});

const perNetwork = 5;

/** An app whose keys are all valid and have one request per second, and a server on which a network has few connections. */
const givenServed = async () => {
  const key = {
    id: 1,
    accountId: 1,
    accountName: 'Shop',
    accountStatus: 'active',
    isExpired: false,
    isTest: false,
    scopes: [],
    rateLimit: 1,
    isUseUnnoted: false,
  } as const;
  const keys: ApiKeyCache = { find: async () => key, findCached: () => key, knownId: () => key.id };
  const app = express()
    .use(requestLog(createLogger('api', 'silent')), authenticate(keys), limitRate())
    .use((_request, response) => void response.json({}))
    .use(errorResponder({ isUnavailable: () => false }));
  const port = await freePort();
  const server = await serve(app, { host: '127.0.0.1', port, express: app, connections: { perNetwork } });
  const sockets = givenSockets(port);
  return {
    ask: (count: number) => sockets.ask('GET / HTTP/1.1\r\nHost: x\r\nx-api-key: valid\r\n\r\n', count),
    open: () => server.connections().open,
    [Symbol.asyncDispose]: async () => {
      sockets[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
};

it('trusts no connection for a request that was refused because its key has sent too many', async () => {
  await using served = await givenServed();
  let trusted = 0;
  let refused = 0;
  while (refused <= 2 * perNetwork) {
    for (const statuses of await Promise.all(Array.from({ length: 50 }, () => served.ask(1)))) {
      if (statuses.includes(200)) trusted += 1;
      else if (statuses.includes(429)) refused += 1;
    }
  }
  expect(served.open()).toBeLessThanOrEqual(trusted + perNetwork);
});
