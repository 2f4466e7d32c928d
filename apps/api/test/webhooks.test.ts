import { listAudit } from '@leadback/core/audit';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { listWebhookDeliveries } from '@leadback/core/webhooks/list-deliveries';
import { type Account } from '@leadback/db';
import { type WebhookTopic, webhookCredentialsSchema } from '@leadback/domain';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import {
  eventually,
  givenAccount,
  givenApiKey,
  givenContacts,
  givenServer,
  secretsKeys,
  shared,
  unique,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Reply, type TestApi, givenApi } from './given-api.ts';

const registeredSchema = z.object({ id: z.number(), secret: z.string() });
const deliveryIdOf = ({ body }: Reply): number => z.object({ deliveryId: z.number() }).parse(body).deliveryId;

interface StoredWebhook {
  readonly state: string;
  readonly stateReason: string | null;
  readonly settings: unknown;
  readonly credentials: unknown;
}

interface TestPartner {
  readonly account: Account;
  readonly key: string;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Registers a webhook, whose URL counts as verified; returns its id. */
  webhook(options?: { url?: string; events?: readonly WebhookTopic[] }): Promise<number>;
  /** As if its last test were closed. */
  closeTest(id: number): Promise<void>;
  stored(id: number): Promise<StoredWebhook>;
}

/** An account with a key, for `/webhook`. */
const givenWebhookPartner = async (
  api: TestApi,
  { isTest = false, account: given }: { readonly isTest?: boolean; readonly account?: Account } = {},
): Promise<TestPartner> => {
  const em = api.database.em();
  const account = given ?? (await givenAccount(em));
  const key = await givenApiKey(em, { account, isTest });
  const send: TestPartner['send'] = (method, path, body) =>
    api.send(method, `/api/v1/webhook${path}`, { key, ...(body !== undefined && { body }) });
  return {
    account,
    key,
    send,
    async webhook({ url = `http://127.0.0.1:9/${unique('hook')}`, events = ['delivery.failed'] } = {}) {
      const reply = await send('POST', '', { url, events });
      expect([reply.status, reply.body]).toEqual([201, expect.anything()]);
      const { id } = registeredSchema.parse(reply.body);
      await api.database.pool.query('update platform_connection set verify_at = null where id = $1', [id]);
      return id;
    },
    async closeTest(id) {
      await api.database.pool.query('update platform_connection set test_delivery_id = null where id = $1', [id]);
    },
    async stored(id) {
      const { rows } = await api.database.pool.query<Omit<StoredWebhook, 'credentials'> & { credentials: Buffer }>(
        `select state, state_reason as "stateReason", settings, credentials from platform_connection where id = $1`,
        [id],
      );
      const [row] = rows;
      if (!row) throw new Error(`there is no connection ${id}`);
      const owner = { id, accountId: account.id };
      return {
        ...row,
        credentials: decryptCredentials(connectionKeys(secretsKeys, 'webhook'), owner, row.credentials),
      };
    },
  };
};

const api = await shared(givenApi({ allowLoopback: true }));

const whole = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('webhooks of a partner', () => {
  it('registers a webhook, shows its secret once, and stores it encrypted', async () => {
    const partner = await givenWebhookPartner(api);
    const url = 'http://127.0.0.1:9/hook';
    const { status, body } = await partner.send('POST', '', { url, events: ['delivery.failed', 'delivery.failed'] });
    const { id, secret } = registeredSchema.parse(body);
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
    const { id } = registeredSchema.parse(first?.body);
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
    const id = registeredSchema.parse(replies.find(({ status }) => status === 201)?.body).id;
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
      return registeredSchema.parse(body).id;
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
    const { id, secret } = registeredSchema.parse(registered.body);
    const { status, body } = await partner.send('POST', `/${id}/secret`);
    const { secret: next } = registeredSchema.parse(body);
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
    const { id, secret } = registeredSchema.parse(registered.body);
    const rotate = async () => registeredSchema.parse((await partner.send('POST', `/${id}/secret`)).body).secret;
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
    expect(stored).toEqual({ state: 'paused', stateReason: null, settings: {}, credentials: {} });
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

describe('the URL of a webhook', async () => {
  const strict = await shared(givenApi());

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
    const partner = await givenWebhookPartner(strict);
    const registered = await partner.send('POST', '', { url, events: ['delivery.failed'] });
    expect([registered.status, registered.headers.get('leadback-error'), registered.body]).toEqual([
      400,
      'invalid-fields',
      { message },
    ]);
    const id = await givenWebhookPartner(strict, { account: partner.account }).then((same) =>
      same.webhook({ url: 'https://93.184.215.14/hook' }),
    );
    const changed = await partner.send('PATCH', `/${id}`, { url });
    expect([changed.status, changed.body]).toEqual([400, { message }]);
  });

  it('the host by which the caller reached the API is refused', async () => {
    const partner = await givenWebhookPartner(strict);
    const { request } = await import('node:http');
    const body = JSON.stringify({ url: 'https://api.leadback.example/hook', events: ['delivery.failed'] });
    const headers = { host: 'API.leadback.example', 'x-api-key': partner.key, 'content-type': 'application/json' };
    const text = await new Promise<string>((resolve, reject) => {
      request(
        { port: strict.port, host: '127.0.0.1', method: 'POST', path: '/api/v1/webhook', headers },
        (response) => {
          response.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
        },
      )
        .on('error', reject)
        .end(body);
    });
    expect(JSON.parse(text)).toEqual({ message: 'url: the host belongs to Leadback itself' });
  });
});

describe('what the audit log says of webhooks', async () => {
  const console = await shared(openPatientPool({ url: api.database.url, applicationName: 'test' }));

  /** Oldest first. */
  const entriesOf = async ({ account }: TestPartner) => {
    const { items } = await listAudit(console.pool, { accountId: account.id, limit: 100 });
    return items.toReversed().map(({ actor, action, target, details }) => ({ actor, action, target, details }));
  };
  const actions = async (partner: TestPartner) => (await entriesOf(partner)).map(({ action }) => action);

  it('names the key, the webhook and each field that an action has changed, and neither secrets nor paths', async () => {
    const partner = await givenWebhookPartner(api);
    const registration = { url: 'http://127.0.0.1:9/hook/token-1', events: ['delivery.failed'] };
    const registered = await partner.send('POST', '', registration);
    const { id, secret } = registeredSchema.parse(registered.body);
    await partner.send('PATCH', `/${id}`, { url: 'http://localhost:9/token-2', events: ['import.finished'] });
    const rotated = registeredSchema.parse((await partner.send('POST', `/${id}/secret`)).body);
    await partner.send('DELETE', `/${id}`);
    const { rows } = await console.pool.query<{ id: number }>('select id::int from api_key where account_id = $1', [
      partner.account.id,
    ]);
    const about = { actor: `key ${rows[0]?.id}`, target: `webhook ${id}` };
    const entries = await entriesOf(partner);
    expect(entries).toEqual([
      {
        ...about,
        action: 'webhook.create',
        details: { url: 'http://127.0.0.1:9/…', events: ['delivery.failed'], isTest: false },
      },
      {
        ...about,
        action: 'webhook.change',
        details: {
          url: { before: 'http://127.0.0.1:9/…', after: 'http://localhost:9/…' },
          events: { before: ['delivery.failed'], after: ['import.finished'] },
        },
      },
      { ...about, action: 'webhook.rotate-secret', details: {} },
      { ...about, action: 'webhook.delete', details: { url: 'http://localhost:9/…' } },
    ]);
    for (const hidden of [secret, rotated.secret, 'token']) expect(JSON.stringify(entries)).not.toContain(hidden);
  });

  it('has an entry for a pause, a resumption, a test and a retry, and none for a request that changes nothing', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ url: 'http://127.0.0.1:9/same' });
    for (const state of ['paused', 'paused', 'active', 'active']) await partner.send('PATCH', `/${id}`, { state });
    const same = { url: 'http://127.0.0.1:9/same', events: ['delivery.failed'] };
    expect((await partner.send('PATCH', `/${id}`, same)).status).toBe(200);
    const deliveryId = deliveryIdOf(await partner.send('POST', `/${id}/test`));
    expect((await partner.send('POST', `/${id}/deliveries/${deliveryId}/retry`)).status).toBe(202);
    expect(await actions(partner)).toEqual(['webhook.create', 'webhook.pause', 'webhook.resume', 'webhook.test']);
    await api.database.pool.query(
      `with gone as (delete from delivery_due where connection_id = $1)
       update delivery set state = 'failed', closed_at = now(), parcel_id = null where id = $2`,
      [id, deliveryId],
    );
    await partner.send('POST', `/${id}/deliveries/${deliveryId}/retry`);
    expect((await entriesOf(partner)).at(-1)).toMatchObject({ action: 'webhook.retry', details: { deliveryId } });
  });

  it('has no entry for a request that is refused', async () => {
    const partner = await givenWebhookPartner(api);
    await partner.send('POST', '', { url: 'https://10.1.2.3/hook', events: ['delivery.failed'] });
    await partner.send('DELETE', '/1');
    expect(await entriesOf(partner)).toEqual([]);
  });

  it('keeps why a webhook was paused when a partner pauses it once more', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    await api.database.pool.query(
      `update platform_connection set state = 'paused', state_reason = 'gone' where id = $1`,
      [id],
    );
    const { body } = await partner.send('PATCH', `/${id}`, { state: 'paused' });
    expect(body).toMatchObject({ state: 'paused', reason: 'gone' });
    expect(await actions(partner)).toEqual(['webhook.create']);
  });
});

const pageSchema = z.object({
  items: z.array(z.looseObject({ id: z.number(), state: z.string() })),
  next: z.string().nullable(),
});

/** Tests `count` times; returns the ids of the deliveries, newest first. */
const tested = async (partner: TestPartner, id: number, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let done = 0; done < count; done += 1) {
    ids.unshift(deliveryIdOf(await partner.send('POST', `/${id}/test`)));
    await partner.closeTest(id);
  }
  return ids;
};
const list = async (partner: TestPartner, path: string) => pageSchema.parse((await partner.send('GET', path)).body);

const outcomes = {
  delivered: { outcome: 'delivered', state: 'delivered', reason: null, httpStatus: 204 },
  unavailable: { outcome: 'unavailable', state: 'pending', reason: 'HTTP 503', httpStatus: 503 },
  unreachable: { outcome: 'unavailable', state: 'pending', reason: 'unreachable', httpStatus: null },
} as const;

/** Claims a delivery and settles it as a worker does. */
const settle = async (deliveryId: number, kind: 'delivered' | 'unavailable' | 'unreachable') => {
  const { pool } = api.database;
  const { rows } = await pool.query<{ id: string }>(
    'update delivery_due set not_before = now() where $1 = any(delivery_ids) returning id',
    [deliveryId],
  );
  const parcel = await parcelClaimer(pool, givenContacts())(Number(rows[0]?.id));
  if (!parcel) throw new Error('the parcel could not be claimed');
  const { outcome, state, reason, httpStatus } = outcomes[kind];
  const attempt = { outcome, reason, httpStatus, answer: '<b>busy</b>', durationMs: 84 };
  const next = { state, reason, retryInMs: 3_600_000, isCounted: true };
  await parcelSettler(pool)({ parcel, deliveries: [{ ...next, deliveryIds: [deliveryId], attempt }] });
};

describe('the deliveries of a webhook', () => {
  it('a test event is sent whatever the events of the webhook, and the log shows it', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ events: ['import.finished'] });
    const [deliveryId] = await tested(partner, id, 1);
    const { items, next } = await list(partner, `/${id}/deliveries`);
    expect({ items, next }).toEqual({
      items: [
        {
          id: deliveryId,
          messageId: expect.stringMatching(/^evt_[0-9a-f]{32}_\d+$/),
          type: 'webhook.test',
          data: { webhookId: id, isTest: false },
          state: 'pending',
          reason: null,
          attempts: [],
          nextAttemptAt: expect.any(String),
          createdAt: expect.any(String),
          closedAt: null,
        },
      ],
      next: null,
    });
  });

  it('shows every attempt with its time, HTTP status and duration, and the next one, but not what the endpoint responded', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [deliveryId = 0] = await tested(partner, id, 1);
    await settle(deliveryId, 'unavailable');
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const failed = { at, outcome: 'unavailable', httpStatus: 503, reason: 'HTTP 503', durationMs: 84 };
    const { items: waiting } = await list(partner, `/${id}/deliveries`);
    expect(waiting).toMatchObject([{ state: 'pending', reason: 'HTTP 503', attempts: [failed], nextAttemptAt: at }]);
    expect(JSON.stringify(waiting)).not.toContain('busy');
    await settle(deliveryId, 'delivered');
    const accepted = { at, outcome: 'delivered', httpStatus: 204, reason: null, durationMs: 84 };
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toMatchObject([
      { state: 'delivered', reason: null, attempts: [failed, accepted], nextAttemptAt: null, closedAt: at },
    ]);
  });

  it('has one open test, also if it is asked for many at once, and sends it sooner', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const asked = Array.from({ length: 5 }, () => partner.send('POST', `/${id}/test`));
    const ids = new Set((await Promise.all(asked)).map(deliveryIdOf));
    expect(ids.size).toBe(1);
    const [deliveryId = 0] = ids;
    await settle(deliveryId, 'unavailable');
    expect(deliveryIdOf(await partner.send('POST', `/${id}/test`))).toBe(deliveryId);
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toHaveLength(1);
    expect(Date.parse(String(items[0]?.['nextAttemptAt']))).toBeLessThan(Date.now() + 60_000);
    await settle(deliveryId, 'delivered');
    expect(deliveryIdOf(await partner.send('POST', `/${id}/test`))).not.toBe(deliveryId);
  });

  it('has no next attempt while a worker holds it', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    await tested(partner, id, 1);
    const hold = `update delivery_due set phase = 'claimed', claim = 1, not_before = now() + interval '2 minutes' where connection_id = $1`;
    await api.database.asOwner(hold, [id]);
    expect((await list(partner, `/${id}/deliveries`)).items).toMatchObject([{ state: 'pending', nextAttemptAt: null }]);
  });

  it('does not show how long it took to find no receiver', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [deliveryId = 0] = await tested(partner, id, 1);
    await settle(deliveryId, 'unreachable');
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toMatchObject([{ attempts: [{ httpStatus: null, reason: 'unreachable', durationMs: 0 }] }]);
  });

  it('a paused webhook has no next attempt, and can be sent neither a test nor a retry', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [deliveryId] = await tested(partner, id, 1);
    await partner.send('PATCH', `/${id}`, { state: 'paused' });
    expect((await list(partner, `/${id}/deliveries`)).items).toMatchObject([{ state: 'pending', nextAttemptAt: null }]);
    const message = 'id: the webhook is paused; set its state to active first';
    for (const path of ['test', `deliveries/${deliveryId}/retry`]) {
      const { status, body } = await partner.send('POST', `/${id}/${path}`);
      expect([path, status, body]).toEqual([path, 400, { message }]);
    }
  });

  it('sends a delivery again that was accepted or failed, and leaves a pending one as it is', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [failed = 0, accepted = 0, pending = 0] = await tested(partner, id, 3);
    await settle(accepted, 'delivered');
    await settle(pending, 'unavailable');
    const { pool } = api.database;
    await pool.query('delete from delivery_due where $1 = any(delivery_ids)', [failed]);
    await pool.query(`update delivery set state = 'failed', parcel_id = null, closed_at = now() where id = $1`, [
      failed,
    ]);
    const before = (await list(partner, `/${id}/deliveries`)).items.find((one) => one.id === pending);
    for (const deliveryId of [failed, accepted, pending]) {
      const reply = await partner.send('POST', `/${id}/deliveries/${deliveryId}/retry`);
      expect([reply.status, reply.body]).toEqual([202, { deliveryId }]);
    }
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toMatchObject([
      { id: failed, state: 'pending', attempts: [{ outcome: 'requeued', reason: 'was failed' }] },
      { id: accepted, state: 'pending', attempts: [{ outcome: 'delivered' }, { outcome: 'requeued' }] },
      before,
    ]);
    await settle(accepted, 'delivered');
  });

  it('a delivery of another webhook cannot be sent again through this one', async () => {
    const partner = await givenWebhookPartner(api);
    const [one, other] = [await partner.webhook(), await partner.webhook()];
    const [deliveryId] = await tested(partner, one, 1);
    const { status, body } = await partner.send('POST', `/${other}/deliveries/${deliveryId}/retry`);
    expect([status, body]).toEqual([404, { message: 'deliveryId: this webhook has no delivery with this id' }]);
  });

  it('lists the newest first, fifty at a time, and only its own', async () => {
    const partner = await givenWebhookPartner(api);
    const [id, other] = [await partner.webhook(), await partner.webhook()];
    await tested(partner, other, 1);
    const ids = await tested(partner, id, 60);
    const first = await list(partner, `/${id}/deliveries`);
    expect(first.items.map((one) => one.id)).toEqual(ids.slice(0, 50));
    const second = await list(partner, `/${id}/deliveries?after=${first.next}`);
    expect(second.items.map((one) => one.id)).toEqual(ids.slice(50));
    expect(second.next).toBeNull();
  });

  it('lists those in a state, in pages that end after a number of deliveries read, and leaves none out', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const ids = await tested(partner, id, 9);
    const rare = ids.filter((_, index) => index % 4 === 3);
    for (const deliveryId of rare) await settle(deliveryId, 'delivered');
    const mode = { accountId: partner.account.id, isTest: false };
    const { pool } = api.database;
    const pages: number[][] = [];
    for (let after: number | undefined, isMore = true; isMore; ) {
      const page = await listWebhookDeliveries(pool, mode, { id, state: 'delivered', after, limit: 2 }, 2);
      pages.push(page.items.map((one) => one.id));
      after = page.next ?? undefined;
      isMore = after !== undefined;
    }
    expect(pages.flat()).toEqual(rare);
    expect(pages).toHaveLength(5);
    expect((await list(partner, `/${id}/deliveries?state=delivered`)).items.map((one) => one.id)).toEqual(rare);
  });
});
