import { type Account, PlatformConnection } from '@leadback/db';
import { platformSandbox } from '@leadback/platform-sandbox';
import {
  givenAccount,
  givenAdjustment,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenServer,
  givenWebhook,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  checkReply,
  connectionReply,
  connectionsReply,
  createdReply,
  platformsReply,
} from '../src/contract/connections.ts';
import { givenConsole } from './given-console.ts';

const told = { eventKinds: ['conversion'], eventNames: {} };
const meta = { platform: 'meta', content: { pixelId: '1', accessToken: 'EAAB-secret' }, ...told };

describe('connections in the console', async () => {
  const sandbox = await shared(givenServer(platformSandbox()));
  const console = await shared(givenConsole({ platformsUrl: sandbox.url }));
  const person = await console.person({ role: 'operator' });

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const path = (rest = '') => `/api/accounts/${account.id}/connections${rest}`;
  const list = async () => connectionsReply.parse((await person.get(path())).body).items;
  const endsOf = async (now: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    try {
      return new Map((await list()).map(({ id, versionEnd }) => [id, versionEnd]));
    } finally {
      vi.useRealTimers();
    }
  };
  const read = async (id: number) => connectionReply.parse((await person.get(path(`/${id}`))).body);
  const change = (id: number, body: object) => person.post(path(`/${id}/change`), { ...told, content: {}, ...body });
  const given = (options: Parameters<typeof givenConnection>[1] = {}) =>
    givenConnection(console.database.em(), { account, ...options });
  const audited = async () => {
    const { rows } = await console.database.pool.query(
      'select actor, action, target, details from audit_entry where account_id = $1 order by id',
      [account.id],
    );
    return rows;
  };
  const behave = (platform: string, answer: string) =>
    fetch(`${sandbox.url}/behaviour`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform, answer }),
    });

  it('are described by their platforms: settings, kinds of credentials and events, and no values', async () => {
    const { items } = platformsReply.parse((await person.get(path('/platforms'))).body);
    expect(items.map(({ name }) => name)).toEqual(['meta', 'google', 'tiktok', 'linkedin', 'microsoft']);
    const google = items.find(({ name }) => name === 'google');
    expect(google?.credentials.map((kind) => kind.map(({ name }) => name))).toEqual([
      ['serviceAccount'],
      ['clientId', 'clientSecret', 'refreshToken'],
    ]);
    expect(items[0]?.settings.find(({ name }) => name === 'actionSource')).toMatchObject({
      isRequired: false,
      isSecret: false,
      choices: ['website', 'system_generated', 'other'],
      standard: null,
    });
    expect(items[0]?.settings.find(({ name }) => name === 'eventName')).toMatchObject({ standard: 'Purchase' });
  });

  it('say from 90 days before when their platform ends the version of its API that is in use', async () => {
    const [linkedin, google] = [await given({ platform: 'linkedin' }), await given({ platform: 'google' })];
    const end = { version: '202607', endsAt: '2027-07-15T00:00:00.000Z' };
    expect((await endsOf('2027-04-15')).get(linkedin.id)).toBeNull();
    const sixtyDaysBefore = await endsOf('2027-05-16');
    expect(sixtyDaysBefore.get(linkedin.id)).toEqual({ ...end, hasEnded: false });
    expect(sixtyDaysBefore.get(google.id)).toBeNull();
    expect((await endsOf('2027-07-16')).get(linkedin.id)).toEqual({ ...end, hasEnded: true });
  });

  it('are checked with a test event before anything is stored, and then created', async () => {
    await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
    const checked = checkReply.parse((await person.post(path('/check'), meta)).body);
    expect(checked).toMatchObject({ outcome: 'delivered', httpStatus: 200, reason: null, remedy: null });
    expect(await list()).toEqual([]);
    expect(await (await fetch(`${sandbox.url}/events`)).json()).toMatchObject([{ platform: 'meta', connection: '1' }]);
    const created = await person.post(path(), {
      ...meta,
      eventKinds: ['conversion', 'lead'],
      eventNames: { trial: 'StartTrial' },
    });
    const { id } = createdReply.parse(created.body);
    expect(created.status).toBe(201);
    expect(await read(id)).toMatchObject({
      connection: { platform: 'meta', state: 'active', eventKinds: ['conversion', 'lead'], waiting: 0 },
      settings: { pixelId: '1', eventName: 'Purchase', leadEventName: 'Lead' },
      credentials: ['accessToken'],
      eventNames: { trial: 'StartTrial' },
    });
    expect(await audited()).toEqual([
      {
        actor: person.email,
        action: 'connection.create',
        target: `connection ${id}`,
        details: { platform: 'meta', destination: '1' },
      },
    ]);
  });

  it('have a label that people choose, and are called by their destination without one', async () => {
    const named = { ...meta, content: { pixelId: '4242', accessToken: 'token' }, label: ' Shop in Argentina ' };
    const { id } = createdReply.parse((await person.post(path(), named)).body);
    expect(await read(id)).toMatchObject({
      connection: { label: 'Shop in Argentina', destination: '4242' },
      label: 'Shop in Argentina',
    });
    expect((await change(id, { label: 'x'.repeat(101) })).text).toContain('longer than 100 characters');
    expect((await change(id, { label: '' })).body).toMatchObject({ connection: { label: '4242' }, label: '' });
  });

  it('are deleted with what waits only if the person agrees, and leave list and destination free', async () => {
    const content = { pixelId: '777', accessToken: 'token' };
    const { id } = createdReply.parse((await person.post(path(), { ...meta, content })).body);
    const connection = await console.database.em().findOneOrFail(PlatformConnection, id, { populate: ['account'] });
    const delivery = await givenDelivery(console.database.em(), { connection });
    const refused = await person.post(path(`/${id}/delete`), { isDiscarding: false });
    expect([refused.status, refused.headers.get('leadback-error')]).toEqual([409, 'conflict']);
    const deleted = await person.post(path(`/${id}/delete`), { isDiscarding: true });
    expect([deleted.status, deleted.body]).toEqual([200, { deliveries: 1 }]);
    expect((await list()).map((one) => one.id)).not.toContain(id);
    expect((await person.get(path(`/${id}`))).status).toBe(404);
    const story = await person.get(`/api/accounts/${connection.account.id}/deliveries/${delivery.id}`);
    expect(story.body).toMatchObject({ delivery: { label: '777', isConnectionDeleted: true, canRetry: false } });
    expect((await person.post(path(), { ...meta, content })).status).toBe(201);
  });

  it("tell the platform's words and what to enter again, if it rejects the credentials", async () => {
    const content = { pixelId: '1', accessToken: 'revoked-1' };
    const { body, text } = await person.post(path('/check'), { ...meta, content });
    expect(body).toMatchObject({ outcome: 'refused', httpStatus: 400, remedy: { change: ['accessToken'] } });
    expect(checkReply.parse(body).reason).toContain('190');
    expect(text).not.toContain('revoked-1');
  });

  it.each([
    [{ content: { pixelId: 'x', accessToken: 't' } }, [['pixelId', 'expected the digits']]],
    [{ content: { pixelId: '1' } }, [['accessToken', 'expected the access token']]],
    [
      { content: { pixelId: '', accessToken: 'two words' } },
      [
        ['pixelId', ''],
        ['accessToken', 'in one piece'],
      ],
    ],
    [{ content: { ...meta.content, refreshToken: 'r' } }, [['refreshToken', 'Meta has no such setting']]],
    [{ content: { ...meta.content, refundEvent: 'Purchase' } }, [['refundEvent', '(Event name)']]],
    [{ eventNames: { 'a/b': 'Subscribe' } }, [['mapEvent.a/b', 'expected 1 to 64 characters']]],
    [
      { platform: 'google', content: { customerId: '1234567890', conversionActionId: '1' } },
      [['serviceAccount', 'there are no credentials; give Service account key, or OAuth client id']],
    ],
    [
      {
        platform: 'google',
        content: {
          customerId: '1234567890',
          conversionActionId: '1',
          clientId: 'c',
          clientSecret: 's',
          refreshToken: 'r',
        },
        eventKinds: ['lead'],
      },
      [['events', 'only with Lead conversion action id']],
    ],
  ])('name every field that is wrong, and store nothing: %j', async (typed, expected) => {
    for (const rest of ['', '/check']) {
      const reply = await person.post(path(rest), { ...meta, ...typed });
      expect([reply.status, reply.headers.get('leadback-error')]).toEqual([422, 'invalid-fields']);
      expect(reply.body).toMatchObject({
        problems: expected.map(([field, message]) => ({ field, message: expect.stringContaining(String(message)) })),
      });
    }
    expect(await list()).toEqual([]);
  });

  it.each([{ eventKinds: [] }, { platform: 'nowhere' }, { content: { pixelId: 7 } }, { eventKinds: ['webhook'] }])(
    'refuse what no form sends: %j',
    async (typed) => {
      expect((await person.post(path(), { ...meta, ...typed })).status).toBe(400);
    },
  );

  it('refuse credentials of two kinds', async () => {
    const content = { customerId: '1234567890', conversionActionId: '1', serviceAccount: {}, refreshToken: 'r' };
    const { status, body } = await person.post(path(), { platform: 'google', content, ...told });
    expect([status, body]).toEqual([400, { message: expect.stringContaining('give one kind of credentials') }]);
  });

  it('are changed field by field, which the audit log tells without the value of a secret', async () => {
    const { id } = await given({ settings: { pixelId: '1', eventName: 'Lead', leadEventName: 'Contact' } });
    const { version } = await read(id);
    const content = { pixelId: '22', eventName: '', accessToken: 'EAAB-new', appSecret: 'app-secret' };
    const changed = await change(id, { version, content, eventNames: { trial: 'StartTrial' } });
    expect(changed).toMatchObject({
      status: 200,
      body: { settings: { pixelId: '22', eventName: 'Purchase' }, credentials: ['accessToken', 'appSecret'] },
    });
    expect(changed.text).not.toMatch(/EAAB-new|app-secret/);
    expect(await audited()).toEqual([
      {
        actor: person.email,
        action: 'connection.change',
        target: `connection ${id}`,
        details: {
          pixelId: { before: '1', after: '22' },
          eventName: { before: 'Lead', after: 'Purchase' },
          accessToken: { before: 'set', after: 'replaced' },
          appSecret: { before: null, after: 'set' },
          eventNames: { before: {}, after: { trial: 'StartTrial' } },
        },
      },
    ]);
    await change(id, { content: { appSecret: '' }, eventKinds: ['conversion', 'lead'] });
    expect((await audited()).at(-1)).toMatchObject({
      details: {
        appSecret: { before: 'set', after: null },
        events: { before: ['conversion'], after: ['conversion', 'lead'] },
        eventNames: { before: { trial: 'StartTrial' }, after: {} },
      },
    });
  });

  it('are not overwritten by who has not seen the change of somebody else', async () => {
    const { id } = await given();
    const { version } = await read(id);
    const both = await Promise.all([
      change(id, { version, content: { pixelId: '7' } }),
      change(id, { version, content: {}, eventKinds: ['conversion', 'lead'] }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.headers.get('leadback-error')).toBe('conflict');
    expect(await audited()).toHaveLength(1);
  });

  it('may be paused and resumed between reading and saving', async () => {
    const { id } = await given();
    const { version } = await read(id);
    await person.post(path(`/${id}/pause`), {});
    await person.post(path(`/${id}/resume`), {});
    expect((await change(id, { version, content: { pixelId: '7' } })).status).toBe(200);
  });

  it('may be checked between reading and saving, which renews the refresh token of Microsoft', async () => {
    const { id, credentials } = await given({ platform: 'microsoft' });
    const { version } = await read(id);
    expect((await person.post(path(`/${id}/check`), {})).status).toBe(200);
    const stored = () => console.database.em().findOneOrFail(PlatformConnection, id);
    expect(Buffer.from((await stored()).credentials)).not.toEqual(Buffer.from(credentials));
    expect((await change(id, { version, content: { conversionName: 'Policy' } })).status).toBe(200);
    expect((await change(id, { version, content: { clientSecret: 'another' } })).status).toBe(409);
    const { version: now } = await read(id);
    const { credentialsEnteredAt } = await stored();
    expect((await change(id, { version: now, content: { clientSecret: 'another' } })).status).toBe(200);
    expect((await stored()).credentialsEnteredAt.getTime()).toBeGreaterThan(credentialsEnteredAt.getTime());
    expect((await change(id, { version: now, content: { clientSecret: 'a third' } })).status).toBe(409);
  });

  it('say how many deliveries wait when they are paused and resumed', async () => {
    const connection = await given();
    const { id } = connection;
    await givenDelivery(console.database.em(), { connection });
    expect((await person.post(path(`/${id}/pause`), {})).body).toEqual({ deliveries: 1 });
    expect(await list()).toMatchObject([{ id, state: 'paused', waiting: 1 }]);
    expect((await person.post(path(`/${id}/resume`), {})).body).toEqual({ deliveries: 1 });
    expect((await audited()).map(({ action, details }) => [action, details])).toEqual([
      ['connection.pause', { state: { before: 'active', after: 'paused' } }],
      ['connection.resume', { state: { before: 'paused', after: 'active' } }],
    ]);
  });

  it.each([
    ['ok', 'delivered', 200],
    ['bad-event', 'rejected', 400],
    ['rate-limited', 'throttled', 429],
    ['reset', 'unavailable', null],
  ])('send a test event: if the platform responds with %s, it is %s', async (answer, outcome, httpStatus) => {
    const { id } = await given();
    await behave('meta', answer);
    const { body } = await person.post(path(`/${id}/check`), {});
    await behave('meta', 'ok');
    expect(body).toMatchObject({ outcome, httpStatus });
  });

  it('are held from the start if they were made although their test event was rejected, and work once that is fixed', async () => {
    const rejected = { ...meta, content: { ...meta.content, accessToken: 'revoked-1' } };
    const { body, status } = await person.post(path(), { ...rejected, isChecked: true });
    expect(status).toBe(201);
    const { id } = createdReply.parse(body);
    const found = async () => (await list()).find((one) => one.id === id);
    expect(await found()).toMatchObject({ state: 'needs_attention', remedy: { change: ['accessToken'] } });
    const em = console.database.em();
    await givenDelivery(em, { connection: await em.findOneOrFail(PlatformConnection, id) });
    const still = await change(id, { content: { accessToken: 'revoked-2' } });
    expect(still.body).toMatchObject({
      connection: { state: 'needs_attention' },
      check: { outcome: 'refused', sent: 0 },
    });
    const fixed = await change(id, { content: { accessToken: 'right' } });
    expect(fixed.body).toMatchObject({ connection: { state: 'active' }, check: { outcome: 'delivered', sent: 1 } });
  });

  it('take slots of the quota of their platform for test events', async () => {
    const { id } = await given({ platform: 'google' });
    await person.post(path(`/${id}/check`), {});
    const { rowCount } = await console.database.pool.query('select from platform_quota where used = 1');
    expect(rowCount).toBe(1);
  });

  it('explain why they are rejected, and how that is fixed', async () => {
    const { id } = await given({ state: 'needs_attention' });
    const reason = '190: Error validating access token';
    await console.database.pool.query('update platform_connection set state_reason = $2 where id = $1', [id, reason]);
    expect(await list()).toMatchObject([
      { id, state: 'needs_attention', stateReason: reason, remedy: { change: ['accessToken'] } },
    ]);
  });

  it('show their health: what was delivered, failed, waits, and why', async () => {
    const em = console.database.em();
    const connection = await given();
    const conversion = () => givenConversion(em, { account });
    await givenDelivery(em, { connection, conversion: await conversion(), state: 'delivered' });
    await givenDelivery(em, { connection, conversion: await conversion(), state: 'failed', reason: 'HTTP 400' });
    await givenDelivery(em, { connection, conversion: await conversion(), state: 'skipped', reason: 'consent' });
    const waiting = await givenDelivery(em, { connection, conversion: await conversion() });
    const tested = await givenConversion(em, { account, isTest: true });
    await givenDelivery(em, { connection, conversion: tested, state: 'failed', reason: 'HTTP 400' });
    await console.database.pool.query(`update delivery set reason = 'HTTP 503' where id = $1`, [waiting.id]);
    await console.database.pool.query(
      `update delivery_due set not_before = now() + interval '1 hour' where connection_id = $1`,
      [connection.id],
    );
    expect(await list()).toMatchObject([
      {
        recent: { delivered: 1, failed: 1, skipped: 1, pending: 1 },
        deliveredAt: expect.any(String),
        failedInDay: 1,
        isFailedPartial: false,
        waiting: 1,
        retrying: 1,
        retryReason: 'HTTP 503',
        retryAt: expect.any(String),
      },
    ]);
  });

  it('are not said to retry if only corrections wait for their conversion, and events for their time', async () => {
    const em = console.database.em();
    const connection = await given();
    const conversion = () => givenConversion(em, { account });
    const held = async (reason: string) => {
      const adjustment = await givenAdjustment(em, { conversion: await conversion() });
      const { id } = await givenDelivery(em, { connection, adjustment });
      await console.database.pool.query(`update delivery set reason = $2 where id = $1`, [id, reason]);
    };
    const later = `update delivery_due set not_before = now() + id * interval '1 hour' where connection_id = $1`;
    for (const reason of ['original_pending', 'original_unconfirmed', 'earlier_adjustment_pending']) await held(reason);
    const early = await givenDelivery(em, { connection, conversion: await conversion() });
    await console.database.pool.query(`update delivery set reason = 'early' where id = $1`, [early.id]);
    await console.database.pool.query(later, [connection.id]);
    const none = { held: 3, retrying: 0, retryReason: null, retryAt: null };
    expect(await list()).toMatchObject([{ waiting: 4, ...none }]);
    // the first of all that is to be sent is still a correction
    const failing = await givenDelivery(em, { connection, conversion: await conversion() });
    await console.database.pool.query(`update delivery set reason = 'HTTP 503' where id = $1`, [failing.id]);
    await console.database.pool.query(later, [connection.id]);
    const retried = { held: 3, retrying: 1, retryReason: 'HTTP 503', retryAt: expect.any(String) };
    expect(await list()).toMatchObject([{ waiting: 5, ...retried }]);
  });

  it('ask for all credentials if no key decrypts them, and take them', async () => {
    const { id } = await given();
    const em = console.database.em();
    await em.nativeUpdate(PlatformConnection, { id }, { credentials: Buffer.of(1, 2, 3) });
    expect((await read(id)).credentials).toBeNull();
    const refused = await change(id, { content: { pixelId: '2' } });
    expect([refused.status, refused.body]).toEqual([400, { message: expect.stringContaining('with all credentials') }]);
    expect((await person.post(path(`/${id}/check`), {})).status).toBe(400);
    expect((await change(id, { content: { accessToken: 'new' } })).status).toBe(200);
    expect((await read(id)).credentials).toEqual(['accessToken']);
  });

  it('are neither those of other accounts nor webhooks', async () => {
    const em = console.database.em();
    const foreign = await givenConnection(em);
    const webhook = await givenWebhook(em, { account });
    expect(await list()).toEqual([]);
    for (const { id } of [foreign, webhook]) {
      const replies = await Promise.all([
        person.get(path(`/${id}`)),
        change(id, { content: { pixelId: '2' } }),
        ...['check', 'pause', 'resume'].map((verb) => person.post(path(`/${id}/${verb}`), {})),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    const { rows } = await console.database.pool.query('select state from platform_connection where id = any($1)', [
      [foreign.id, webhook.id],
    ]);
    expect(rows).toEqual([{ state: 'active' }, { state: 'active' }]);
  });
});
