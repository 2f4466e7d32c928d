import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  googleEvent,
  googleRequest,
  linkedinElement,
  linkedinRequest,
  metaEvent,
  metaRequest,
  microsoftConversion,
  microsoftRequest,
  tiktokEvent,
  tiktokRequest,
} from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());

const send = {
  meta: () => sandbox.meta(metaRequest(metaEvent())),
  google: () => sandbox.google(googleRequest([googleEvent()])),
  tiktok: () => sandbox.tiktok(tiktokRequest(tiktokEvent())),
  linkedin: () => sandbox.linkedin(linkedinRequest(linkedinElement())),
  microsoft: () => sandbox.microsoft(microsoftRequest(microsoftConversion())),
};
const platforms = ['meta', 'google', 'tiktok', 'linkedin', 'microsoft'] as const;

beforeEach(async () => {
  await sandbox.request('DELETE', '/events');
  for (const platform of platforms) await sandbox.behave({ platform, answer: 'ok' });
});

describe('behaviour', () => {
  it.each([
    ['meta', 'server-error', 503, { error: { code: 2, is_transient: true } }],
    ['meta', 'rate-limited', 429, { error: { code: 4, is_transient: true } }],
    ['meta', 'bad-credentials', 400, { error: { code: 190, type: 'OAuthException' } }],
    ['meta', 'bad-event', 400, { error: { code: 100 } }],
    ['google', 'server-error', 503, { error: { code: 503, status: 'UNAVAILABLE' } }],
    ['google', 'rate-limited', 429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
    ['google', 'bad-credentials', 401, { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ['google', 'bad-event', 400, { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
    ['tiktok', 'server-error', 200, { code: 50000 }],
    ['tiktok', 'rate-limited', 200, { code: 40100 }],
    ['tiktok', 'bad-credentials', 200, { code: 40104 }],
    ['tiktok', 'bad-event', 200, { code: 40002 }],
    ['linkedin', 'server-error', 503, { status: 503 }],
    ['linkedin', 'rate-limited', 429, { status: 429, serviceErrorCode: 101 }],
    ['linkedin', 'bad-credentials', 401, { status: 401, code: 'REVOKED_ACCESS_TOKEN' }],
    ['linkedin', 'bad-event', 422, { status: 422 }],
    ['microsoft', 'server-error', 500, { Errors: [{ Code: 0 }] }],
    ['microsoft', 'rate-limited', 429, { Errors: [{ Code: 117 }] }],
    ['microsoft', 'bad-credentials', 401, { Errors: [{ Code: 105 }] }],
    ['microsoft', 'bad-event', 200, { PartialErrors: [{ Index: 0 }] }],
  ] as const)('%s responds to %s in its own format, and accepts no event', async (platform, answer, status, body) => {
    await sandbox.behave({ platform, answer });
    expect(await send[platform]()).toMatchObject({ status, body });
    expect(await sandbox.received()).toEqual([]);
  });

  it('microsoft rejects the first event of a request for bad-event, and accepts the others', async () => {
    await sandbox.behave({ platform: 'microsoft', answer: 'bad-event' });
    const [first, second] = [microsoftConversion({ ConversionValue: 1 }), microsoftConversion({ ConversionValue: 2 })];
    expect(await sandbox.microsoft(microsoftRequest(first, second))).toMatchObject({
      status: 200,
      body: { PartialErrors: [{ Index: 0 }] },
    });
    expect(await sandbox.received()).toMatchObject([{ event: { ConversionValue: 2 } }]);
  });

  it.each(platforms)('%s sends Retry-After when rate-limited', async (platform) => {
    await sandbox.behave({ platform, answer: 'rate-limited' });
    expect((await send[platform]()).headers.get('retry-after')).toBe('1');
  });

  it.each(platforms)('%s responds with HTML for garbage', async (platform) => {
    await sandbox.behave({ platform, answer: 'garbage' });
    expect(await send[platform]()).toMatchObject({ status: 200, body: expect.stringContaining('<html>') });
  });

  it.each(platforms)('%s drops the connection for reset', async (platform) => {
    await sandbox.behave({ platform, answer: 'reset' });
    await expect(send[platform]()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await sandbox.received()).toEqual([]);
  });

  it.each(platforms)('%s accepts the event and drops the connection for accepted-but-lost', async (platform) => {
    await sandbox.behave({ platform, answer: 'accepted-but-lost' });
    await expect(send[platform]()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await sandbox.received()).toMatchObject([{ platform }]);
  });

  it('the behaviour of one platform does not change the others', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'server-error' });
    expect(await send.google()).toMatchObject({ status: 200 });
    expect(await send.tiktok()).toMatchObject({ body: { code: 0 } });
  });

  it('a behaviour lasts for the given number of requests', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'server-error', times: 2 });
    const statuses = [await send.meta(), await send.meta(), await send.meta()].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('a behaviour can delay the response', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'ok', delayMs: 100 });
    const startMs = performance.now();
    expect(await send.meta()).toMatchObject({ status: 200 });
    expect(performance.now() - startMs).toBeGreaterThan(95);
  });

  it('a behaviour can leave a request without response', async () => {
    await sandbox.behave({ platform: 'meta', answer: 'time-out' });
    const never = fetch(`${sandbox.url}/v25.0/1/events`, { method: 'POST', signal: AbortSignal.timeout(100) });
    await expect(never).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    ['an unknown platform', { platform: 'myspace', answer: 'ok' }],
    ['an unknown answer', { platform: 'meta', answer: 'fine' }],
    ['no number of times', { platform: 'meta', answer: 'ok', times: 0 }],
    ['an unknown field', { platform: 'meta', answer: 'ok', delay: 1 }],
    ['a request status of Meta', { platform: 'meta', answer: 'ok', processing: { status: 'SUCCESS' } }],
    ['an unknown request status', { platform: 'google', answer: 'ok', processing: { status: 'DONE' } }],
    ['an invalid JSON body', '{'],
  ])('a behaviour with %s is rejected', async (_name, behaviour) => {
    expect(await sandbox.behave(behaviour)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });
});
