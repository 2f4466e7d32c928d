import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { googleEvent, googleRequest } from './google-request.ts';
import { metaEvent, metaRequest } from './meta-event.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());

const send = {
  meta: () => sandbox.meta(metaRequest(metaEvent())),
  google: () => sandbox.google(googleRequest([googleEvent()])),
};
const platforms = ['meta', 'google'] as const;

beforeEach(async () => {
  await sandbox.request('DELETE', '/events');
  for (const platform of platforms) await sandbox.behave({ platform, answer: 'ok' });
});

describe('behaviour', () => {
  it.each([
    ['meta', 'server-error', 503, { code: 2, is_transient: true }],
    ['meta', 'rate-limited', 429, { code: 4, is_transient: true }],
    ['meta', 'bad-credentials', 400, { code: 190, type: 'OAuthException' }],
    ['meta', 'bad-event', 400, { code: 100 }],
    ['google', 'server-error', 503, { code: 503, status: 'UNAVAILABLE' }],
    ['google', 'rate-limited', 429, { code: 429, status: 'RESOURCE_EXHAUSTED' }],
    ['google', 'bad-credentials', 401, { code: 401, status: 'UNAUTHENTICATED' }],
    ['google', 'bad-event', 400, { code: 400, status: 'INVALID_ARGUMENT' }],
  ] as const)(
    "of %s: %s is said in the platform's words, and nothing is listed",
    async (platform, answer, status, error) => {
      await sandbox.behave({ platform, answer });
      expect(await send[platform]()).toMatchObject({ status, body: { error } });
      expect(await sandbox.received()).toEqual([]);
    },
  );

  it.each(platforms)('of %s: rate-limited tells when to come back', async (platform) => {
    await sandbox.behave({ platform, answer: 'rate-limited' });
    expect((await send[platform]()).headers.get('retry-after')).toBe('1');
  });

  it.each(platforms)('of %s: garbage is HTML', async (platform) => {
    await sandbox.behave({ platform, answer: 'garbage' });
    expect(await send[platform]()).toMatchObject({ status: 200, body: expect.stringContaining('<html>') });
  });

  it.each(platforms)('of %s: reset breaks the connection', async (platform) => {
    await sandbox.behave({ platform, answer: 'reset' });
    await expect(send[platform]()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await sandbox.received()).toEqual([]);
  });

  it.each(platforms)('of %s: accepted-but-lost takes the event and breaks the connection', async (platform) => {
    await sandbox.behave({ platform, answer: 'accepted-but-lost' });
    await expect(send[platform]()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await sandbox.received()).toMatchObject([{ platform }]);
  });

  it('of one platform leaves the other alone', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'server-error' });
    expect(await send.google()).toMatchObject({ status: 200 });
  });

  it('lasts for so many requests, and then all is well again', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'server-error', times: 2 });
    const statuses = [await send.meta(), await send.meta(), await send.meta()].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('may be slow', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'ok', delayMs: 100 });
    const startMs = performance.now();
    expect(await send.meta()).toMatchObject({ status: 200 });
    expect(performance.now() - startMs).toBeGreaterThan(95);
  });

  it('may be no answer at all', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'time-out' });
    const never = fetch(`${sandbox.url}/v25.0/1/events`, { method: 'POST', signal: AbortSignal.timeout(100) });
    await expect(never).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    ['an unknown platform', { platform: 'tiktok', answer: 'ok' }],
    ['an unknown answer', { platform: 'meta', answer: 'fine' }],
    ['no number of times', { platform: 'meta', answer: 'ok', times: 0 }],
    ['an unknown field', { platform: 'meta', answer: 'ok', delay: 1 }],
    ['something else than JSON', '{'],
  ])('is not set by %s', async (_name, behaviour) => {
    expect(await sandbox.behave(behaviour)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });
});
