import { PlatformConnection } from '@leadback/db';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import { givenConnection, givenServer, secretsKeys, type TestServer } from '@leadback/testing';
import { platformSandbox } from '@leadback/platform-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOperator, type TestOperator } from './given-operator.ts';

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
      state: 'active',
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
    expect(out).toContain(`\`connection resume ${id}\``);
    expect(out).not.toContain('revoked-1');
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
