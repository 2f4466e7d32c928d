import { Account } from '@leadback/db';
import { issueApiKey } from '@leadback/domain/keys';
import { eventually, givenAccount, givenApiKey } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type Reply, type TestApi } from './given-api.ts';

describe('the rate of a key', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const check = (key: string) => api.send('GET', '/api/v1/', { key });
  const givenKey = async (rateLimit: number) => {
    const account = await givenAccount(api.database.em(), { rateLimit });
    return { account, key: await givenApiKey(api.database.em(), { account }) };
  };

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

describe('an IP address that sends invalid keys', () => {
  it('answers 429 after too many invalid keys from an IP address, but accepts valid keys, also those that are new to it', async () => {
    await using api = await givenApi();
    const unseen = [await givenApiKey(api.database.em()), await givenApiKey(api.database.em())];
    const check = (tried: string) => api.send('GET', '/api/v1/', { key: tried });
    const refused: Reply[] = [];
    // in small groups: concurrent lookups do not count as invalid yet
    for (let tried = 0; tried < 2_000 && refused.length <= 100; tried += 25) {
      const replies = await Promise.all(Array.from({ length: 25 }, () => check(issueApiKey())));
      refused.push(...replies.filter(({ status }) => status === 429));
    }
    expect(refused.length).toBeGreaterThan(100);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.body).toEqual({
      message: 'x-api-key: too many invalid keys from this IP address; check the key, then try again',
    });
    for (const key of unseen) {
      const [{ status }, ...others] = await Promise.all([
        check(key),
        ...Array.from({ length: 100 }, (_, index) => check(index % 2 === 0 ? issueApiKey() : `no key ${index}`)),
      ]);
      expect(status).toBe(200);
      expect(others.filter((reply) => reply.status === 429)).not.toEqual([]);
    }
  });
});
