import { PlatformConnection } from '@leadback/db';
import { givenConnection, givenServer, type TestServer } from '@leadback/test-fixtures';
import { platformSandbox } from '@leadback/platform-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOperator, type TestOperator } from './given-operator.ts';

const said = expect.any(String);

describe('a connection that the operator checks', () => {
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
      advice: 'The connection works: Meta took a test event, which counts as no conversion.',
    },
    {
      platform: 'meta' as const,
      answer: 'bad-event',
      outcome: 'rejected',
      httpStatus: 400,
      words: said,
      advice: 'Meta lets us in, but did not like the test event: 100: data[0]: the sandbox was told to refuse it',
    },
    {
      platform: 'meta' as const,
      answer: 'rate-limited',
      outcome: 'throttled',
      httpStatus: 429,
      words: said,
      advice: 'Meta asks for fewer requests now',
    },
    {
      platform: 'meta' as const,
      answer: 'reset',
      outcome: 'unavailable',
      httpStatus: null,
      words: null,
      advice: 'Meta cannot be asked now (ECONNRESET)',
    },
    {
      platform: 'google' as const,
      answer: 'ok',
      outcome: 'delivered',
      httpStatus: 200,
      words: said,
      advice: 'The connection works: Google took a test event, which counts as no conversion.',
    },
    {
      platform: 'google' as const,
      answer: 'server-error',
      outcome: 'unavailable',
      httpStatus: 503,
      words: said,
      advice: 'Google cannot be asked now (UNAVAILABLE: The service is currently unavailable.)',
    },
    {
      platform: 'google' as const,
      answer: 'bad-credentials',
      outcome: 'refused',
      httpStatus: 401,
      words: said,
      advice: '[--refresh-token … | --service-account …]` (what has changed of it)',
    },
  ])('is explained where $platform answers "$answer"', async (asked) => {
    const { platform, answer, outcome, httpStatus, words, advice } = asked;
    const { id } = await connect({ platform });
    await behave(platform, answer);
    const checked = await operator.json(`connection check ${id}`);
    await behave(platform, 'ok');
    expect(checked).toEqual({
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
  ] as const)('comes with what to type where %s refuses its credentials, and with none of them', async (...given) => {
    const [platform, credentials, flag] = given;
    const { id } = await connect({ platform, credentials, state: 'needs_attention' });
    const { status, out } = await operator.type(`connection check ${id} --json`);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ works: false, outcome: 'refused', state: 'needs_attention' });
    expect(out).toContain(`\`connection change ${id} ${flag}\``);
    expect(out).toContain(`\`connection resume ${id}\``);
    expect(out).not.toContain('revoked-1');
  });

  it('that is paused and works comes with what sends its feedback', async () => {
    const { id } = await connect({ state: 'paused' });
    expect(await operator.json(`connection check ${id}`)).toMatchObject({
      works: true,
      advice: expect.stringContaining(`\`connection resume ${id}\` sends what waits.`),
    });
  });

  it('is not asked about where its credentials were sealed under another key', async () => {
    const connection = await connect();
    const em = operator.database.em();
    await em.nativeUpdate(PlatformConnection, { id: connection.id }, { credentials: Buffer.of(1, 2, 3) });
    const { status, err } = await operator.type(`connection check ${connection.id}`);
    expect([status, err]).toEqual([1, expect.stringContaining('is SECRETS_KEY the one that they were sealed under?')]);
  });

  it('is said to be unknown where it is', async () => {
    const { status, err } = await operator.type('connection check 999999');
    expect([status, err]).toEqual([1, 'there is no connection 999999\n']);
  });
});
