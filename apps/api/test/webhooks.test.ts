import { webhookCredentialsSchema } from '@leadback/domain';
import { eventually, givenServer } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, type TestApi } from './given-api.ts';
import { created, givenWebhookPartner } from './given-webhooks.ts';

const whole = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('webhooks of a partner', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi({ allowLoopback: true });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it('registers a webhook, shows its secret once, and stores it encrypted', async () => {
    const partner = await givenWebhookPartner(api);
    const url = 'http://127.0.0.1:9/hook';
    const { status, body } = await partner.send('POST', '', { url, events: ['delivery.failed', 'delivery.failed'] });
    const { id, secret } = created.parse(body);
    expect([status, secret]).toEqual([201, expect.stringMatching(whole)]);
    const listed = await partner.send('GET', '');
    const shown = {
      id,
      url,
      events: ['delivery.failed'],
      state: 'active',
      isVerified: false,
      reason: null,
      createdAt: expect.any(String),
    };
    expect(listed.body).toEqual({ items: [shown] });
    expect(await partner.stored(id)).toMatchObject({ credentials: { secret } });
    const { rows } = await api.database.pool.query(
      'select to_json(c)::text as row from platform_connection c where id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  it('refuses a second webhook with the same URL and names the first one, so that a repeated registration makes no second', async () => {
    const partner = await givenWebhookPartner(api);
    const registration = { url: 'http://127.0.0.1:9/Hook', events: ['delivery.failed'] };
    const together = await Promise.all([1, 2, 3].map(() => partner.send('POST', '', registration)));
    expect(together.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400, 400]);
    const [first] = together.filter(({ status }) => status === 201);
    const { id } = created.parse(first?.body);
    const again = await partner.send('POST', '', { ...registration, url: 'HTTP://127.0.0.1:9/Hook' });
    expect([again.status, again.body]).toEqual([400, { message: `url: webhook ${id} has this URL already` }]);
    const other = await partner.webhook();
    const changed = await partner.send('PATCH', `/${other}`, { url: registration.url });
    expect([changed.status, changed.body]).toEqual([400, { message: `url: webhook ${id} has this URL already` }]);
    expect((await partner.send('PATCH', `/${id}`, { url: registration.url })).status).toBe(200);
  });

  it('registers at most ten webhooks of each mode for an account, also when they are registered at once', async () => {
    const live = await givenWebhookPartner(api);
    const test = await givenWebhookPartner(api, { account: live.account, isTest: true });
    // they wait for each other, on a busy machine longer than the api has for a lock: then again, as partners do
    const tried = Array.from({ length: 12 }, (_, index) =>
      eventually(async () => {
        const reply = await live.send('POST', '', { url: `http://127.0.0.1:9/${index}`, events: ['delivery.failed'] });
        expect(reply.status).not.toBe(503);
        return reply;
      }),
    );
    const replies = await Promise.all(tried);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    const [refused] = replies.filter(({ status }) => status !== 201);
    expect([refused?.status, refused?.body]).toEqual([
      400,
      { message: 'url: this account has 10 webhooks of this kind already; change or delete one of them' },
    ]);
    await test.webhook();
    const id = created.parse(replies.find(({ status }) => status === 201)?.body).id;
    await live.send('DELETE', `/${id}`);
    await live.webhook();
  });

  it('verifies a URL again after a change of it, and not after any other change', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ url: 'http://127.0.0.1:9/one' });
    const change = async (changes: object) => (await partner.send('PATCH', `/${id}`, changes)).body;
    expect(await change({ events: ['import.finished'] })).toMatchObject({ isVerified: true });
    expect(await change({ url: 'http://127.0.0.1:9/one' })).toMatchObject({ isVerified: true });
    expect(await change({ url: 'http://127.0.0.1:9/two' })).toMatchObject({ isVerified: false, state: 'active' });
    expect(await change({ state: 'paused' })).toMatchObject({ isVerified: false });
    expect(await change({ state: 'active' })).toMatchObject({ isVerified: false });
  });

  it('a URL is asked to verify itself after ten seconds at the earliest, however often it is changed or resumed', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ url: 'http://127.0.0.1:9/one' });
    const { pool } = api.database;
    // as a worker leaves it after a failure
    await pool.query(`update platform_connection set verify_at = now() + interval '6 hours' where id = $1`, [id]);
    const verifyAt = async () => {
      const { rows } = await pool.query(
        `select verify_at::text as at, (verify_at - resumed_at)::text as "sinceResumed" from platform_connection where id = $1`,
        [id],
      );
      return z.object({ at: z.string(), sinceResumed: z.string() }).parse(rows[0]);
    };
    await partner.send('PATCH', `/${id}`, { state: 'paused' });
    await partner.send('PATCH', `/${id}`, { state: 'active' });
    const { at, sinceResumed } = await verifyAt();
    expect(sinceResumed).toBe('00:00:10');
    await partner.send('PATCH', `/${id}`, { state: 'paused' });
    await partner.send('PATCH', `/${id}`, { url: 'http://127.0.0.1:9/two', state: 'active' });
    expect((await verifyAt()).at).toBe(at);
    await pool.query('update platform_connection set verify_at = null where id = $1', [id]);
    await partner.send('PATCH', `/${id}`, { url: 'http://127.0.0.1:9/three' });
    const { rows } = await pool.query(
      `select (c.verify_at - a.at)::text as wait from platform_connection c
       join audit_entry a on a.target = 'webhook ' || c.id and a.action = 'webhook.change'
       where c.id = $1 order by a.id desc limit 1`,
      [id],
    );
    expect(rows).toEqual([{ wait: '00:00:10' }]);
  });

  it('an account that adds and deletes webhooks again and again has twenty URLs verified in a minute at once', async () => {
    const partner = await givenWebhookPartner(api);
    const register = async (count: number) => {
      const url = `http://127.0.0.1:9/${count}`;
      const { body } = await partner.send('POST', '', { url, events: ['delivery.failed'] });
      return created.parse(body).id;
    };
    for (let count = 0; count < 21; count += 1) {
      const id = await register(count);
      const { rows } = await api.database.pool.query(
        // as if it all happened now
        `with held as (update platform_connection set created_at = now() + interval '1 hour' where id = $1 returning 1)
         select (verify_at - created_at)::text as wait from platform_connection where id = $1`,
        [id],
      );
      expect(rows).toEqual([{ wait: count < 20 ? '00:00:00' : '00:01:00' }]);
      await partner.send('DELETE', `/${id}`);
    }
  });

  it('changes only what is sent, and pauses and resumes', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ url: 'http://127.0.0.1:9/one' });
    const change = async (changes: object) => (await partner.send('PATCH', `/${id}`, changes)).body;
    expect(await change({ url: 'http://127.0.0.1:9/two' })).toMatchObject({
      url: 'http://127.0.0.1:9/two',
      events: ['delivery.failed'],
      state: 'active',
    });
    expect(await change({ events: ['import.finished'], state: 'paused' })).toMatchObject({
      url: 'http://127.0.0.1:9/two',
      events: ['import.finished'],
      state: 'paused',
      reason: null,
    });
    await api.database.pool.query(`update platform_connection set state_reason = 'failing' where id = $1`, [id]);
    expect(await change({ events: ['delivery.failed'] })).toMatchObject({ state: 'paused', reason: 'failing' });
    expect(await change({ state: 'active' })).toMatchObject({ state: 'active', reason: null });
    const { status, body } = await partner.send('PATCH', `/${id}`, {});
    expect([status, body]).toEqual([400, { message: 'body: expected url, events or state' }]);
  });

  it('rotates the secret: the last one stays for 24 hours, encrypted', async () => {
    const partner = await givenWebhookPartner(api);
    const registered = await partner.send('POST', '', { url: 'http://127.0.0.1:9/hook', events: ['delivery.failed'] });
    const { id, secret } = created.parse(registered.body);
    const { status, body } = await partner.send('POST', `/${id}/secret`);
    const { secret: next } = created.parse(body);
    expect([status, next]).toEqual([200, expect.stringMatching(whole)]);
    expect(next).not.toBe(secret);
    expect((await partner.stored(id)).credentials).toMatchObject({ secret: next, earlier: [{ secret }] });
    const { previousUntil } = Object(body);
    const hours = (Date.parse(previousUntil) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  it('a rotation that is repeated because its response was lost keeps the secret that the receiver knows, four in all', async () => {
    const partner = await givenWebhookPartner(api);
    const registered = await partner.send('POST', '', { url: 'http://127.0.0.1:9/hook', events: ['delivery.failed'] });
    const { id, secret } = created.parse(registered.body);
    const rotate = async () => created.parse((await partner.send('POST', `/${id}/secret`)).body).secret;
    const secrets = [secret];
    for (let count = 0; count < 4; count += 1) secrets.unshift(await rotate());
    const storedSecrets = async () => {
      const { credentials } = await partner.stored(id);
      const { secret: newest, earlier = [] } = webhookCredentialsSchema.parse(credentials);
      return [newest, ...earlier.map((one) => one.secret)];
    };
    expect(await storedSecrets()).toEqual(secrets);
    secrets.unshift(await rotate());
    expect(await storedSecrets()).toEqual(secrets.slice(0, 5));
  });

  it('a deleted webhook leaves neither URL, secret nor waiting deliveries, and is unknown from then on', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ url: 'http://127.0.0.1:9/gone' });
    await partner.send('POST', `/${id}/test`);
    expect((await partner.send('DELETE', `/${id}`)).body).toEqual({ id });
    const { rows } = await api.database.pool.query(
      `select (select count(*)::int from delivery where connection_id = $1) as deliveries,
              (select count(*)::int from delivery_due where connection_id = $1) as parcels,
              (select count(*)::int from connection_settings_change where connection_id = $1) as "formerSettings"`,
      [id],
    );
    expect(rows).toEqual([{ deliveries: 0, parcels: 0, formerSettings: 0 }]);
    const stored = await partner.stored(id);
    expect(stored).toEqual({ state: 'paused', stateReason: 'deleted', settings: {}, credentials: {} });
    expect((await partner.send('GET', '')).body).toEqual({ items: [] });
    const unknown = [
      await partner.send('DELETE', `/${id}`),
      await partner.send('PATCH', `/${id}`, { state: 'active' }),
      await partner.send('GET', `/${id}/deliveries`),
      await partner.send('POST', `/${id}/secret`),
      await partner.send('POST', `/${id}/test`),
    ];
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    await partner.webhook({ url: 'http://127.0.0.1:9/gone' });
  });

  it('deletes a webhook with more waiting deliveries than one statement deletes', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    for (let count = 0; count < 60; count += 1) {
      await partner.send('POST', `/${id}/test`);
      await partner.closeTest(id);
    }
    expect((await partner.send('DELETE', `/${id}`)).status).toBe(200);
    const { rows } = await api.database.pool.query('select 1 from delivery where connection_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('does not connect to a URL when it is registered', async () => {
    const requests: unknown[] = [];
    await using server = await givenServer((request, response) => {
      requests.push(request.url);
      response.end();
    });
    await (await givenWebhookPartner(api)).webhook({ url: server.url });
    expect(requests).toEqual([]);
  });
});

describe('the URL of a webhook', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const notPublic = 'url: the host is or resolves to an address that is not public';
  it.each([
    ['http://shop.example/hook', 'url: expected a URL that begins with https://'],
    ['ftp://shop.example/hook', 'url: expected a URL that begins with https://'],
    ['shop.example/hook', 'url: expected a URL, such as https://shop.example/leadback'],
    ['https://ana:pw@shop.example/hook', 'url: must not contain a user name or password; requests are signed instead'],
    ['https://127.0.0.1/hook', notPublic],
    ['https://[::1]/hook', notPublic],
    ['https://2130706433/hook', notPublic],
    ['https://10.1.2.3/hook', notPublic],
    ['https://169.254.169.254/latest/meta-data', notPublic],
    ['https://[fd00:ec2::254]/', notPublic],
    ['https://[::ffff:10.0.0.1]/', notPublic],
    ['https://localhost/hook', notPublic],
    ['https://shop.example:22/hook', 'url: the port is not allowed; use port 443'],
    ['https://93.184.215.14:6379/hook', 'url: the port is not allowed; use port 443'],
    ['https://no-such-host.invalid/hook', 'url: the host name does not resolve'],
    ['https://go.example.com/hook', 'url: the host belongs to Leadback itself'],
    [`https://shop.example/${'x'.repeat(2_000)}`, 'url: longer than 2000 characters'],
  ])('%s is refused, at registration and at a change: %s', async (url, message) => {
    const partner = await givenWebhookPartner(api);
    const registered = await partner.send('POST', '', { url, events: ['delivery.failed'] });
    expect([registered.status, registered.headers.get('leadback-error'), registered.body]).toEqual([
      400,
      'invalid-fields',
      { message },
    ]);
    const id = await givenWebhookPartner(api, { account: partner.account }).then((same) =>
      same.webhook({ url: 'https://93.184.215.14/hook' }),
    );
    const changed = await partner.send('PATCH', `/${id}`, { url });
    expect([changed.status, changed.body]).toEqual([400, { message }]);
  });

  it('the host by which the caller reached the API is refused', async () => {
    const partner = await givenWebhookPartner(api);
    const { request } = await import('node:http');
    const body = JSON.stringify({ url: 'https://api.leadback.example/hook', events: ['delivery.failed'] });
    const headers = { host: 'API.leadback.example', 'x-api-key': partner.key, 'content-type': 'application/json' };
    const text = await new Promise<string>((resolve, reject) => {
      request({ port: api.port, host: '127.0.0.1', method: 'POST', path: '/api/v1/webhook', headers }, (response) => {
        response.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
      })
        .on('error', reject)
        .end(body);
    });
    expect(JSON.parse(text)).toEqual({ message: 'url: the host belongs to Leadback itself' });
  });
});
