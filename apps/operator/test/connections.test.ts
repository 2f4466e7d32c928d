import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { decryptConnection } from '@leadback/core/connections/open';
import { findConnection } from '@leadback/core/connections/store';
import { PlatformConnection } from '@leadback/db';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import { platformSandbox } from '@leadback/platform-sandbox';
import { platformList } from '@leadback/platforms';
import {
  type TestServer,
  givenAccount,
  givenClient,
  givenConnection,
  givenDelivery,
  givenServer,
  givenWebhook,
  secretsKeys,
  shared,
  unique,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { type SecretSources, readSecrets, secretSources } from '../src/read-secrets.ts';
import { type TestOperator, givenFile, givenOperator } from './given-operator.ts';

/** The key of a service account, as Google Cloud saves it. */
const googleKey = {
  type: 'service_account',
  project_id: 'zapatos',
  private_key_id: '0123456789abcdef',
  private_key: generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey,
  client_email: 'leadback@zapatos.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};

/** A part of the key that must appear nowhere. */
const googleKeySecret = googleKey.private_key.split('\n')[1] ?? '';

const createMeta = (of: number, pixel: string, more = '') =>
  `connection create --account ${of} --platform meta --pixel-id ${pixel} --access-token t${more}`;

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  const connect = (options?: Parameters<typeof givenConnection>[1]) => givenConnection(operator.database.em(), options);
  const stored = (id: number) => findConnection(operator.database.pool, { id });

  it('refuses a second connection of an account to one destination, which would report each sale twice, unless it is said', async () => {
    const { id: account } = await givenAccount(operator.database.em());
    const { id: elsewhere } = await givenAccount(operator.database.em());
    const first = await operator.json(createMeta(account, '4242'));
    expect(first).toMatchObject({ destination: '4242', warnings: [] });
    const { id } = Object(first);
    const refused = await operator.type(createMeta(account, '4242'));
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining(`connection ${id} reports to Meta 4242 already`),
    ]);
    await operator.json(createMeta(account, '4343'));
    expect(await operator.json(createMeta(account, '4242', ' --events lead'))).toMatchObject({ warnings: [] });
    expect(await operator.json(createMeta(elsewhere, '4242'))).toMatchObject({
      warnings: [expect.stringContaining(`Account ${account} reports to the same destination`)],
    });
    const again = await operator.json(createMeta(account, '4242', ' --again'));
    expect(again).toMatchObject({ destination: '4242' });
    const doctor = JSON.stringify(await operator.json('doctor').catch(String));
    expect(doctor).toContain(`${id} and ${Object(again).id} (account ${account})`);
  });

  it('calls a connection by its label in every table, and by its destination without one', async () => {
    const { id: account } = await givenAccount(operator.database.em());
    const created = await operator.json(createMeta(account, '4242', ' --label Shop-AR'));
    expect(created).toMatchObject({ label: 'Shop-AR', destination: '4242', state: 'active', checked: false });
    const { id } = Object(created);
    const [listed] = z.array(z.unknown()).parse(await operator.json(`connection list --account ${account}`));
    expect(listed).toMatchObject({ id, label: 'Shop-AR', destination: '4242' });
    const connection = await operator.database.em().findOneOrFail(PlatformConnection, id, { populate: ['account'] });
    const { id: delivery } = await givenDelivery(operator.database.em(), { connection, state: 'failed' });
    const named = { label: 'Shop-AR', destination: '4242' };
    expect(await operator.json(`delivery list --account ${account}`)).toMatchObject([named]);
    expect(await operator.json(`delivery show ${delivery}`)).toMatchObject(named);

    expect(await operator.json(`connection change ${id} --label=`)).toMatchObject({ id, label: '4242' });
    const entries = z.array(z.unknown()).parse(await operator.json(`audit list --account ${account}`));
    expect(entries[0]).toMatchObject({ details: { label: { before: 'Shop-AR', after: null } } });
    const refused = await operator.type(`connection change ${id} --label ${'x'.repeat(101)}`);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('--label: longer than 100 characters')]);
  });

  it('deletes a connection for which nothing waits, or what waits is discarded, and frees its destination', async () => {
    const { id: account } = await givenAccount(operator.database.em());
    const { id } = Object(await operator.json(createMeta(account, '777')));
    const connection = await operator.database.em().findOneOrFail(PlatformConnection, id, { populate: ['account'] });
    const { id: waiting } = await givenDelivery(operator.database.em(), { connection });
    const refused = await operator.type(`connection delete ${id}`);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining(`1 delivery waits for connection ${id}`),
    ]);

    expect(await operator.json(`connection delete ${id} --discard`)).toEqual({ id, state: 'deleted', discarded: 1 });
    expect(await operator.json(`delivery show ${waiting}`)).toMatchObject({
      destination: '777',
      connectionState: 'deleted',
      state: 'skipped',
      reason: 'connection_deleted',
      meaning: expect.stringContaining('was deleted'),
    });
    const retried = await operator.type(`delivery retry ${waiting}`);
    expect(retried.err).toContain(`delivery ${waiting}: its connection was deleted`);
    expect(await operator.json(`connection list --account ${account}`)).toEqual([]);
    expect(await operator.json(createMeta(account, '777'))).toMatchObject({ destination: '777', warnings: [] });
    expect((await operator.type(`connection resume ${id}`)).err).toContain(`there is no connection ${id}`);
  });

  it('pauses and resumes a connection, and lists its pending deliveries', async () => {
    const connection = await connect();
    await givenDelivery(operator.database.em(), { connection });
    await givenDelivery(operator.database.em(), { connection, state: 'delivered' });
    const { id } = connection;
    const idle = await connect({ account: await connection.account.loadOrFail() });

    expect(await operator.json(`connection pause ${id}`)).toMatchObject({ id, state: 'paused', deliveries: 1 });
    expect(await operator.json(`connection pause ${id}`)).toMatchObject({
      state: 'paused',
      deliveries: 1,
      next: expect.stringContaining(`\`connection resume ${id}\` sends what waits`),
    });
    expect(await operator.json(`connection list --account ${connection.account.id}`)).toMatchObject([
      { id, state: 'paused', waiting: 1 },
      { id: idle.id, state: 'active', waiting: 0 },
    ]);
    expect(await operator.json(`connection resume ${id}`)).toEqual({ id, state: 'active', deliveries: 1 });
  });

  it('changes only the given options of a connection, and says if the platform cannot be asked whether it works', async () => {
    const { id } = await connect({
      state: 'needs_attention',
      settings: { pixelId: '1', eventName: 'Lead', leadEventName: 'Contact', testEventCode: 'TEST1' },
      credentials: { accessToken: 'EAAB-old' },
    });
    const { out } = await operator.type(`connection change ${id} --access-token EAAB-new --json`);
    expect(JSON.parse(out)).toEqual({
      id,
      platform: 'meta',
      label: '1',
      destination: '1',
      state: 'needs_attention',
      next: 'Meta is unavailable (ECONNREFUSED). Check again in a few minutes; until then its deliveries wait.',
    });
    const changed = await stored(id);
    const settings = { pixelId: '1', eventName: 'Lead', leadEventName: 'Contact', testEventCode: 'TEST1' };
    expect(changed.settings).toEqual(settings);
    expect(decryptConnection(changed, secretsKeys)).toEqual({ accessToken: 'EAAB-new' });
    expect(changed.encryptedCredentials.includes('EAAB-new')).toBe(false);

    await operator.json(`connection change ${id} --pixel-id 22 --test-event-code= --event-name=`);
    const again = await stored(id);
    expect(again).toMatchObject({ state: 'needs_attention', settings: { pixelId: '22', eventName: 'Purchase' } });
    expect(again.settings).not.toHaveProperty('testEventCode');
    expect(decryptConnection(again, secretsKeys)).toEqual({ accessToken: 'EAAB-new' });
  });

  it('stores the secret of a Meta app encrypted, and removes it on request', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --app-secret 0123456789abcdef`);
    const withSecret = await stored(id);
    expect(decryptConnection(withSecret, secretsKeys)).toEqual({
      accessToken: 'test-token',
      appSecret: '0123456789abcdef',
    });
    expect(JSON.stringify(withSecret.settings)).not.toContain('0123456789abcdef');
    await operator.json(`connection change ${id} --access-token new`);
    expect(decryptConnection(await stored(id), secretsKeys)).toMatchObject({ appSecret: '0123456789abcdef' });
    await operator.json(`connection change ${id} --app-secret=`);
    expect(decryptConnection(await stored(id), secretsKeys)).toEqual({ accessToken: 'new' });
  });

  it('keeps both of two concurrent changes to a connection', async () => {
    const { id } = await connect({ platform: 'google' });
    await Promise.all([
      operator.json(`connection change ${id} --refresh-token 1//new`),
      operator.json(`connection change ${id} --client-secret new`),
    ]);
    expect(decryptConnection(await stored(id), secretsKeys)).toMatchObject({
      refreshToken: '1//new',
      clientSecret: 'new',
    });
  });

  it.each([
    ['connection pause 999999', 'there is no connection 999999'],
    ['connection change META', 'nothing to change'],
    ['connection change META --pixel-id x', '--pixel-id: expected the digits'],
    ['connection change META --access-token=', '--access-token: expected the access token'],
    ['connection change META --app-secret=not-in-one-piece\u00e9', '--app-secret: expected'],
    ['connection change META --refresh-token r', '--refresh-token: Meta has no such setting'],
    [
      'connection create --account 1 --platform meta --pixel-id 1 --access-token t --customer-id 1',
      '--customer-id: Meta has no such setting',
    ],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { id } = await connect();
    const { status, out, err } = await operator.type(line.replace('META', String(id)));
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});

const created = z.object({ id: z.number() });

describe('what an operator lets a platform be told of', async () => {
  const operator = await shared(givenOperator());

  const given = (options: Parameters<typeof givenConnection>[1] = {}) =>
    givenConnection(operator.database.em(), options);
  const stored = async (id: number) => {
    const found = await operator.database.em().findOneOrFail(PlatformConnection, id);
    return { eventKinds: found.eventKinds, eventNames: found.eventNames, version: found.version };
  };
  const none = { eventKinds: ['conversion'], eventNames: {} };

  it('a connection is created without leads unless the operator opts in', async () => {
    const { id: account } = await givenAccount(operator.database.em());
    const create = async (more: string) =>
      created.parse(
        await operator.json(
          `connection create --account ${account} --platform meta --pixel-id 1 --access-token t${more}`,
        ),
      ).id;
    expect(await stored(await create(''))).toMatchObject(none);
    expect(await stored(await create(' --again --events lead,conversion'))).toMatchObject({
      eventKinds: ['lead', 'conversion'],
    });
  });

  it('a connection is opted in and out, and the rest of it stays', async () => {
    const { id, account } = await given({ eventNames: { trial: 'StartTrial' } });
    await operator.json(`connection change ${id} --events conversion,lead`);
    expect(await stored(id)).toMatchObject({ eventKinds: ['conversion', 'lead'], eventNames: { trial: 'StartTrial' } });
    expect(await operator.json(`connection list --account ${account.id}`)).toMatchObject([
      { id, events: 'conversion,lead', eventNames: 'trial=StartTrial' },
    ]);
    await operator.json(`connection change ${id} --pixel-id 77`);
    expect(await stored(id)).toMatchObject({ eventKinds: ['conversion', 'lead'], eventNames: { trial: 'StartTrial' } });
    await operator.json(`connection change ${id} --events conversion`);
    expect(await stored(id)).toMatchObject({ eventKinds: ['conversion'] });
  });

  it("maps the partner's event names to those of the platform, several at once, and removes them", async () => {
    const { id, version } = await given();
    await operator.json(`connection change ${id} --map-event subscription=Subscribe --map-event trial=StartTrial`);
    expect(await stored(id)).toMatchObject({ eventNames: { subscription: 'Subscribe', trial: 'StartTrial' } });
    // workers that know the earlier version read the connection again
    expect((await stored(id)).version).toBe(version + 1);
    await operator.json(`connection change ${id} --unmap-event trial --map-event subscription=Lead`);
    expect(await stored(id)).toMatchObject({ eventNames: { subscription: 'Lead' } });
  });

  it("stores what a platform calls an event in the form of the platform's own setting", async () => {
    const { id } = await given({ platform: 'linkedin' });
    await operator.json(`connection change ${id} --map-event trial=urn:lla:llaPartnerConversion:5`);
    expect(await stored(id)).toMatchObject({ eventNames: { trial: '5' } });
  });

  it.each([
    ['META --events lead,', '--events: expected conversion, lead, or both'],
    ['META --events sale', '--events: expected conversion, lead, or both'],
    ['META --map-event subscription', '--map-event: expected the eventName of the partner, "="'],
    ['META --map-event a/b=Subscribe', '--map-event: eventName: expected 1 to 64 characters'],
    ['META --unmap-event x', '--unmap-event: no such eventName is mapped'],
    ['GOOGLE --map-event trial=Subscribe', '--map-event: expected the digits of the conversion action'],
    ['GOOGLE --events lead', '--events: Google is told of leads only with --lead-conversion-action-id'],
  ])('refuses "connection change %s" and says what to fix', async (line, message) => {
    const meta = await given();
    const google = await given({ platform: 'google' });
    const typed = line.replace('META', String(meta.id)).replace('GOOGLE', String(google.id));
    const { status, err } = await operator.type(`connection change ${typed}`);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
    expect([await stored(meta.id), await stored(google.id)]).toMatchObject([none, none]);
  });

  it('refuses a refund event that Meta would count as a sale, in the order in which the names were given', async () => {
    const { id, version } = await given();
    const refused = async (typed: string) => (await operator.type(`connection change ${id} ${typed}`)).err;
    expect(await refused('--refund-event Purchase')).toContain('--refund-event: Purchase is the name of other events');
    expect(await stored(id)).toMatchObject({ version });
    await operator.json(`connection change ${id} --refund-event Refund`);
    expect(await refused('--map-event returned=Refund')).toContain('--map-event: Meta knows Refund as the event of');
    expect(await stored(id)).toMatchObject({ eventNames: {}, version: version + 1 });
  });

  it('keeps the settings of before a change of them or of the event names, and of no other change', async () => {
    const { id, version, settings } = await given();
    await operator.json(`connection change ${id} --access-token other`);
    await operator.json(`connection change ${id} --pixel-id 77`);
    await operator.json(`connection change ${id} --map-event trial=StartTrial`);
    await operator.json(`connection resume ${id}`);
    const { rows } = await operator.database.pool.query(
      `select version, settings->>'pixelId' as pixel, event_names as names from connection_settings_change
       where connection_id = $1 order by version`,
      [id],
    );
    const { pixelId } = z.object({ pixelId: z.string() }).parse(settings);
    // the first change also stores the defaults; the fixture has changed the settings once before
    expect(rows.slice(1)).toEqual([
      { version, pixel: pixelId, names: {} },
      { version: version + 1, pixel: pixelId, names: {} },
      { version: version + 2, pixel: '77', names: {} },
    ]);
  });

  it('refuses to remove what a platform calls leads while it is told of them', async () => {
    const { id } = await given({ platform: 'google' });
    await operator.json(`connection change ${id} --events lead --lead-conversion-action-id 5`);
    const { status, err } = await operator.type(`connection change ${id} --lead-conversion-action-id=`);
    expect([status, err]).toEqual([1, expect.stringContaining('only with --lead-conversion-action-id')]);
  });

  it('lists and shows the delivery of a lead, and counts it if the client is erased', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const externalReference = unique('client');
    const client = await givenClient(em, { account, externalReference });
    const connection = await given({ account });
    const { id } = await givenDelivery(em, { connection, client });
    const sale = await givenDelivery(em, { connection });
    const subject = { event: 'lead', conversionId: null, clientId: client.id, isTest: false };
    expect(await operator.json(`delivery list --account ${account.id}`)).toMatchObject([
      { id: sale.id, event: 'conversion', conversionId: sale.conversion?.id, clientId: null },
      { id, ...subject },
    ]);
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({
      ...subject,
      eventId: expect.stringMatching(new RegExp(`^lead:[0-9a-f-]{36}:${client.id}$`)),
      occurredAt: client.createdAt.toISOString(),
    });
    expect(await operator.json(`client erase --account ${account.id} --reference ${externalReference}`)).toMatchObject({
      clients: 1,
      conversions: 0,
      pendingDeliveries: 1,
    });
  });
});

const said = expect.any(String);

describe('connection check', () => {
  let sandbox: TestServer;
  let operator: TestOperator;
  beforeAll(async () => {
    sandbox = await givenServer(platformSandbox());
    operator = await givenOperator(sandbox.url);
  });
  afterAll(async () => {
    await operator[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  const connect = (options?: Parameters<typeof givenConnection>[1]) => givenConnection(operator.database.em(), options);
  const behave = (platform: string, answer: string) =>
    fetch(`${sandbox.url}/behaviour`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform, answer }),
    });

  it.each([
    {
      platform: 'meta' as const,
      answer: 'ok',
      outcome: 'delivered',
      httpStatus: 200,
      words: said,
      advice: 'The connection works: Meta accepted a test event, which does not count as a conversion.',
    },
    {
      platform: 'meta' as const,
      answer: 'bad-event',
      outcome: 'rejected',
      httpStatus: 400,
      words: said,
      advice:
        'Meta accepts the connection but rejected the test event: 100: data[0]: the sandbox was told to refuse it',
    },
    {
      platform: 'meta' as const,
      answer: 'rate-limited',
      outcome: 'throttled',
      httpStatus: 429,
      words: said,
      advice: 'Meta limits requests now',
    },
    {
      platform: 'meta' as const,
      answer: 'reset',
      outcome: 'unavailable',
      httpStatus: null,
      words: null,
      advice: 'Meta is unavailable (ECONNRESET)',
    },
    {
      platform: 'google' as const,
      answer: 'ok',
      outcome: 'delivered',
      httpStatus: 200,
      words: said,
      advice: 'The connection works: Google accepted a test event, which does not count as a conversion.',
    },
    {
      platform: 'google' as const,
      answer: 'server-error',
      outcome: 'unavailable',
      httpStatus: 503,
      words: said,
      advice: 'Google is unavailable (UNAVAILABLE: The service is currently unavailable.)',
    },
    {
      platform: 'google' as const,
      answer: 'bad-credentials',
      outcome: 'refused',
      httpStatus: 401,
      words: said,
      advice: '[--refresh-token … | --service-account …]` (only what has changed)',
    },
  ])('explains the result of connection check if $platform responds with "$answer"', async (asked) => {
    const { platform, answer, outcome, httpStatus, words, advice } = asked;
    const { id } = await connect({ platform });
    await behave(platform, answer);
    const { status, out } = await operator.type(`connection check ${id} --json`);
    await behave(platform, 'ok');
    expect(status).toBe(outcome === 'delivered' ? 0 : 1);
    expect(JSON.parse(out)).toEqual({
      id,
      platform,
      state: outcome === 'refused' ? 'needs_attention' : 'active',
      works: outcome === 'delivered',
      outcome,
      httpStatus,
      answer: words,
      advice: expect.stringContaining(advice),
    });
  });

  it.each([
    ['meta', { accessToken: 'revoked-1' }, '--access-token …'],
    ['tiktok', { accessToken: 'revoked-1' }, '--access-token …'],
    ['google', { clientId: 'c', clientSecret: 's', refreshToken: 'revoked-1' }, '--refresh-token …'],
    ['linkedin', { accessToken: 'revoked-1' }, '[--access-token … | --refresh-token …]'],
    [
      'microsoft',
      { developerToken: 'd', clientId: 'c', clientSecret: 's', refreshToken: 'revoked-1' },
      '--refresh-token …',
    ],
  ] as const)('prints the commands to run if %s rejects the credentials, without the credentials', async (...given) => {
    const [platform, credentials, flag] = given;
    const { id } = await connect({ platform, credentials, state: 'needs_attention' });
    const { status, out } = await operator.type(`connection check ${id} --json`);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ works: false, outcome: 'refused', state: 'needs_attention' });
    expect(out).toContain(`\`connection change ${id} ${flag}\``);
    expect(out).toContain('a test event is sent, and what waits if that is accepted.');
    expect(out).not.toContain('revoked-1');
  });

  it('holds a connection that the platform rejects, and sends what waits once it works', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const webhook = await givenWebhook(em, {
      account,
      topics: ['connection.needs_attention', 'connection.recovered'],
    });
    const { id } = await connect({ account, credentials: { accessToken: 'revoked-1' } });
    await givenDelivery(em, { connection: await em.findOneOrFail(PlatformConnection, id) });
    await operator.type(`connection check ${id}`);
    await operator.type(`connection check ${id}`);
    const stored = () => operator.database.em().findOneOrFail(PlatformConnection, id);
    expect(await stored()).toMatchObject({
      state: 'needs_attention',
      stateReason: expect.stringMatching(/^190\/460: /),
    });

    const still = await operator.json(`connection change ${id} --access-token revoked-2`);
    expect(still).toMatchObject({ state: 'needs_attention', next: expect.stringContaining('connection change') });
    const fixed = await operator.json(`connection change ${id} --access-token good`);
    expect(fixed).toMatchObject({
      id,
      platform: 'meta',
      state: 'active',
      next: 'The connection works: Meta accepted a test event, which does not count as a conversion. What waited is sent now: 1.',
    });
    expect(await stored()).toMatchObject({ state: 'active', stateReason: null });

    await operator.json(`connection change ${id} --access-token revoked-3`);
    expect(await stored()).toMatchObject({ state: 'needs_attention' });
    const told = await operator.database.pool.query(
      'select e.type from webhook_event e join delivery f on f.webhook_event_id = e.id where f.connection_id = $1 order by e.id',
      [webhook.id],
    );
    expect(told.rows.map(({ type }) => type)).toEqual([
      'connection.needs_attention',
      'connection.recovered',
      'connection.needs_attention',
    ]);
  });

  it('explains that a goal of Microsoft may take no conversion without a click id, as the check is one', async () => {
    const settings = { customerId: '24601', adAccountId: '8675309', conversionName: 'click-only sale' };
    const { id } = await connect({ platform: 'microsoft', settings });
    expect(await operator.json(`connection check ${id}`)).toMatchObject({
      works: false,
      outcome: 'rejected',
      advice: expect.stringMatching(/rejected the test event: 5603: .* turn on enhanced conversions for the goal\.$/),
    });
  });

  it('advises to resume a paused connection that works', async () => {
    const { id } = await connect({ state: 'paused' });
    expect(await operator.json(`connection check ${id}`)).toMatchObject({
      works: true,
      advice: expect.stringContaining(`\`connection resume ${id}\` sends the pending deliveries.`),
    });
  });

  it('keeps the refresh token that Microsoft issues for a check, which changes nothing else of the connection', async () => {
    const { id, account, version, credentials } = await connect({ platform: 'microsoft' });
    const stored = () => operator.database.em().findOneOrFail(PlatformConnection, id);
    const keys = connectionKeys(secretsKeys, 'microsoft');
    const entered = decryptCredentials(keys, { id, accountId: account.id }, Buffer.from(credentials));
    const tokens = [entered];
    for (let time = 0; time < 3; time += 1) {
      // the sandbox refuses the token before the one that is stored
      expect(await operator.json(`connection check ${id}`)).toMatchObject({ works: true });
      const now = await stored();
      tokens.push(decryptCredentials(keys, { id, accountId: account.id }, Buffer.from(now.credentials)));
      expect(now).toMatchObject({ version, state: 'active' });
    }
    expect(new Set(tokens.map((one) => JSON.stringify(one))).size).toBe(4);
  });

  it('does not check a connection whose credentials cannot be decrypted', async () => {
    const connection = await connect();
    const em = operator.database.em();
    await em.nativeUpdate(PlatformConnection, { id: connection.id }, { credentials: Buffer.of(1, 2, 3) });
    const { status, err } = await operator.type(`connection check ${connection.id}`);
    expect([status, err]).toEqual([1, expect.stringContaining('its key is not in SECRETS_KEY. Restore the key')]);
  });

  it('reports that the connection to check does not exist', async () => {
    const { status, err } = await operator.type('connection check 999999');
    expect([status, err]).toEqual([1, 'there is no connection 999999\n']);
  });
});

const oauth = { clientId: 'c', clientSecret: 's', refreshToken: 'r' };
const ofGoogle = '--customer-id 123-456-7890 --conversion-action-id 987';
const typedOauth = '--client-id c --client-secret s --refresh-token r';
const env = (...keys: readonly Uint8Array[]) => ({
  SECRETS_KEY: keys.map((one) => Buffer.from(one).toString('base64')).join(','),
});

describe('Google credentials of a connection', async () => {
  const sandbox = await shared(givenServer(platformSandbox()));
  const operator = await shared(givenOperator(sandbox.url));
  const account = await operator.givenAccountId();
  const file = await givenFile('key.json', JSON.stringify(googleKey));

  const connect = () => givenConnection(operator.database.em(), { platform: 'google', credentials: oauth });
  const credentialsOf = async (id: number) =>
    decryptConnection(await findConnection(operator.database.pool, { id }), secretsKeys);

  it('stores a Google service account key encrypted, and the connection works with it', async () => {
    const create = `connection create --account ${account} --platform google ${ofGoogle} --service-account @${file}`;
    const { status, out } = await operator.type(`${create} --json`);
    expect(status).toBe(0);
    const { id } = Object(JSON.parse(out));
    const stored = await findConnection(operator.database.pool, { id });
    expect(decryptConnection(stored, secretsKeys)).toEqual({
      serviceAccount: expect.objectContaining({
        client_email: googleKey.client_email,
        private_key: googleKey.private_key,
      }),
    });
    expect(stored.encryptedCredentials.includes(googleKeySecret)).toBe(false);
    const checked = await operator.type(`connection check ${id} --json`);
    expect(JSON.parse(checked.out)).toMatchObject({ platform: 'google', works: true });
    expect(checked.out).not.toContain(googleKeySecret);
    const list = await operator.json(`connection list --account ${stored.accountId}`);
    expect(list).toContainEqual(expect.objectContaining({ id, platform: 'google', state: 'active' }));
  });

  it('replaces Google credentials of one kind with the other kind and keeps nothing of the former', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --service-account @${file}`);
    const serviceAccount = expect.objectContaining({ client_email: googleKey.client_email });
    expect(await credentialsOf(id)).toEqual({ serviceAccount });
    await operator.json(`connection change ${id} --customer-id 2222222222`);
    expect(await credentialsOf(id)).toEqual({ serviceAccount });

    const partly = await operator.type(`connection change ${id} --refresh-token r`);
    expect(partly.err).toMatch(/--client-id: .*\n--client-secret: /);
    expect(partly.status).toBe(1);
    expect(await credentialsOf(id)).toEqual({ serviceAccount });
    await operator.json(`connection change ${id} ${typedOauth}`);
    expect(await credentialsOf(id)).toEqual(oauth);
    await operator.json(`connection change ${id} --refresh-token new`);
    expect(await credentialsOf(id)).toEqual({ ...oauth, refreshToken: 'new' });
  });

  it('names the option that replaces a service account key that Google rejects, and prints nothing of the key', async () => {
    const serviceAccount = { ...googleKey, client_email: 'revoked@zapatos.iam.gserviceaccount.com' };
    const { id } = await givenConnection(operator.database.em(), {
      platform: 'google',
      credentials: { serviceAccount },
    });
    const { out } = await operator.type(`connection check ${id} --json`);
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'refused',
      advice: expect.stringContaining(`\`connection change ${id} --service-account …\``),
    });
    expect(out).not.toContain(googleKeySecret);
  });

  it('re-encrypts service account keys with `secrets rotate`', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --service-account @${file}`);
    const fresh = Buffer.alloc(32, 7);
    const old = secretsKeys[0];
    await operator.json('secrets rotate', env(fresh, old));
    expect(decryptConnection(await findConnection(operator.database.pool, { id }), [fresh])).toMatchObject({
      serviceAccount: { private_key: googleKey.private_key },
    });
    await operator.json('secrets rotate', env(old, fresh));
  });
});

const named = (text: string, file: string) => text.replace('FILE', file).replace('FOLDER', dirname(file));

describe('Google credentials as they are typed', async () => {
  const operator = await shared(givenOperator());
  const account = await operator.givenAccountId();
  const file = await givenFile('key.json', JSON.stringify(googleKey));

  const create = (options: string) =>
    operator.type(`connection create --account ${account} --platform google ${ofGoogle} ${options} --json`);

  it.each([
    [
      '--service-account=',
      '--service-account: there are no credentials; give --service-account @key.json, or --client-id',
    ],
    [
      `${typedOauth} --service-account @FILE`,
      'give one kind of credentials: --service-account @key.json, or --client-id',
    ],
    ['--client-id c', '--client-secret: expected the secret of the OAuth client'],
    ['--service-account FILE', '--service-account: expected @ and the path of a key file, such as @key.json'],
    ['--service-account @/nowhere/key.json', '--service-account: there is no file /nowhere/key.json'],
    ['--service-account @FOLDER', 'FOLDER (EISDIR); give a file that this user may read'],
  ])('rejects the Google credentials "%s" and says what to fix', async (options, message) => {
    const { status, out, err } = await create(named(options, file));
    expect(err).toContain(named(message, file));
    expect([status, out]).toEqual([1, '']);
    expect(err).not.toContain(googleKeySecret);
  });

  it.each([
    ['text that is not JSON', `${JSON.stringify(googleKey)}}`, 'is not JSON'],
    [
      'an OAuth client',
      JSON.stringify({ installed: { client_id: 'c', client_secret: 's' } }),
      'the key of a service account',
    ],
    ['a key without its private part', JSON.stringify({ ...googleKey, private_key: undefined }), 'private_key'],
    [
      'a key whose private part is cut off',
      JSON.stringify({ ...googleKey, private_key: googleKey.private_key.slice(0, 300) }),
      'private_key',
    ],
    ['a list', '[]', 'the key of a service account'],
  ])('rejects a key file with %s, says what to fix and prints nothing of the file', async (_, content, message) => {
    const path = await givenFile('key.json', content);
    const { status, out, err } = await create(`--service-account @${path}`);
    expect(err).toMatch(/^--service-account: /);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
    expect(err).not.toContain(googleKeySecret);
  });

  it('rejects a service account key for a Meta connection', async () => {
    const { id } = await givenConnection(operator.database.em());
    const { status, err } = await operator.type(`connection change ${id} --service-account @${file}`);
    expect([status, err]).toEqual([1, '--service-account: Meta has no such setting\n']);
  });
});

const sources = (lines: string[] = []): SecretSources => ({
  nextLine: (name) => Promise.resolve(lines.shift() ?? `no line for ${name}`),
  ask: (name) => Promise.resolve(`asked for ${name}`),
});
const read = (typed: Record<string, unknown>, lines?: string[]) => readSecrets(typed, platformList, sources(lines));

const inFile = async (content: string): Promise<string> => {
  const file = join(await mkdtemp(join(inject('temporaryFolder'), 'secret-')), 'token');
  await writeFile(file, content);
  return file;
};

describe('a secret of a connection', () => {
  it('is read from a file, without the end of its line', async () => {
    const file = await inFile('EAAB-secret\n');
    expect(await read({ pixelId: '1', accessToken: `@${file}` })).toEqual({ pixelId: '1', accessToken: 'EAAB-secret' });
  });

  it('is the next line of standard input for each -, in the order in which --help lists the options', async () => {
    const typed = { refreshToken: '-', clientSecret: '-', clientId: 'c' };
    expect(await read(typed, ['first', 'second'])).toEqual({
      clientId: 'c',
      clientSecret: 'first',
      refreshToken: 'second',
    });
  });

  it('is asked for if the option has no value', async () => {
    expect(await read({ accessToken: true })).toEqual({ accessToken: 'asked for accessToken' });
  });

  it('is removed by the empty text', async () => {
    expect(await read({ appSecret: '' })).toEqual({ appSecret: '' });
  });

  it('is refused on the command line, with the ways to give it and without showing it', async () => {
    const refused = read({ accessToken: 'EAAB-secret' });
    await expect(refused).rejects.toThrow(/^--access-token: a secret on the command line .* @ and the path of a file/);
    await expect(refused).rejects.not.toThrow('EAAB-secret');
  });

  it('is taken from the command line with --from-argv-i-know, for scripts of tests', async () => {
    expect(await read({ accessToken: 'EAAB-secret', fromArgvIKnow: true })).toEqual({ accessToken: 'EAAB-secret' });
  });

  it.each([
    ['--access-token', '--access-token: there is no terminal to ask on'],
    ['--access-token -', '--access-token: standard input has no line for it'],
    ['--access-token @/nowhere', '--access-token: there is no file /nowhere'],
  ])('that %s cannot give is an error that names the option', async (typed, message) => {
    const [, value = true] = typed.split(' ');
    const standardInput = new PassThrough();
    standardInput.end();
    await expect(
      readSecrets(
        { accessToken: value },
        platformList,
        secretSources({ stdin: standardInput, stderr: process.stderr }),
      ),
    ).rejects.toThrow(message);
  });
});
