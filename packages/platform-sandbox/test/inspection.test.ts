import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { switchNames } from '../src/behaviour.ts';
import { googleEvent, googleRequest, metaEvent, metaRequest, tiktokEvent, tiktokRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

describe('inspection', () => {
  it('lists every received event of a batch, newest first', async () => {
    await sandbox.meta(metaRequest(metaEvent({ event_id: '1' }), metaEvent({ event_id: '2' })));
    await sandbox.google(googleRequest([googleEvent({ transactionId: '3' })]));
    await sandbox.tiktok(tiktokRequest(tiktokEvent({ event_id: '4' }), tiktokEvent({ event_id: '5' })));
    expect(await sandbox.received()).toMatchObject([
      { platform: 'tiktok', event: { event_id: '5' } },
      { platform: 'tiktok', event: { event_id: '4' } },
      { platform: 'google', event: { transactionId: '3' } },
      { platform: 'meta', event: { event_id: '2' } },
      { platform: 'meta', event: { event_id: '1' } },
    ]);
  });

  it('lists every copy of a received event', async () => {
    await sandbox.meta(metaRequest(metaEvent()));
    await sandbox.meta(metaRequest(metaEvent()));
    expect(await sandbox.received()).toHaveLength(2);
  });

  it('deletes all received events', async () => {
    await sandbox.meta(metaRequest(metaEvent()));
    expect(await sandbox.request('DELETE', '/events')).toMatchObject({ status: 204 });
    expect(await sandbox.received()).toEqual([]);
  });

  it('keeps tens of thousands of received events', async () => {
    const batch = metaRequest(...Array.from({ length: 1000 }, () => metaEvent()));
    await sandbox.meta(metaRequest(metaEvent({ event_id: 'oldest' })));
    for (let sent = 0; sent < 20; sent += 1) await sandbox.meta(batch);
    const received = await sandbox.received();
    expect(received).toHaveLength(20_001);
    expect(received.at(-1)).toMatchObject({ event: { event_id: 'oldest' } });
  });

  it('GET /health responds 200', async () => {
    expect(await sandbox.request('GET', '/health')).toMatchObject({ status: 200 });
  });

  it('an unknown path responds 404', async () => {
    expect(await sandbox.request('GET', '/v25.0/1/events')).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    });
  });
});

describe('the page', () => {
  it('the page of events escapes their data', async () => {
    await sandbox.meta(metaRequest(metaEvent({ event_id: `<script>alert("1")</script>'&` })));
    const { body, headers } = await sandbox.request('GET', '/');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(body).toContain('&lt;script&gt;alert(\\&quot;1\\&quot;)&lt;/script&gt;&#39;&amp;');
    expect(body).not.toContain('<script');
  });

  it('the page of events shows the behaviour of each platform', async () => {
    await sandbox.behave({ platform: 'google', answer: 'rate-limited', times: 3 });
    const { body } = await sandbox.request('GET', '/');
    expect(body).toContain('<b>google</b> responds <code>rate-limited</code> (3 more)');
  });

  it('a button of the page makes a platform fail until another one is pressed, and the page shows which', async () => {
    const pressed = async (path: string, shown: string) => {
      expect(await sandbox.request('POST', `/switch/${path}`)).toMatchObject({ status: 200 }); // of the page
      const { body } = await sandbox.request('GET', '/?still');
      expect(body).toMatch(new RegExp(`"/switch/${path}\\?still"><button aria-pressed="true">${shown}<`));
    };
    const statuses = async () => [
      (await sandbox.meta(metaRequest(metaEvent()))).status,
      (await sandbox.google(googleRequest([googleEvent()]))).status,
    ];
    await pressed('meta/reject-token', 'Rejects the token');
    await pressed('google/429', 'Too many requests');
    expect([await statuses(), await statuses()]).toEqual([
      [400, 429],
      [400, 429],
    ]);
    await pressed('google/works', 'Works');
    expect(await statuses()).toEqual([400, 200]);
    await pressed('tiktok/slow', 'Slow');
    await pressed('tiktok/silent', 'Silent');
    await sandbox.request('POST', '/switch/reset');
    expect(await statuses()).toEqual([200, 200]);
    const { body } = await sandbox.request('GET', '/');
    expect(body).toContain('<b>tiktok</b> responds <code>ok</code>');
  });

  it('a switch that does not exist is named with those that do', async () => {
    const message = expect.stringContaining(switchNames.join(', '));
    expect(await sandbox.request('POST', '/switch/meta/broken')).toMatchObject({ status: 404, body: { message } });
    expect(await sandbox.request('POST', '/switch/myspace/slow')).toMatchObject({ status: 404, body: { message } });
  });

  it('the page reloads by itself, unless it is asked to stand still', async () => {
    const [page, still] = [await sandbox.request('GET', '/'), await sandbox.request('GET', '/?still')];
    expect(page.body).toContain('http-equiv="refresh"');
    expect(still.body).not.toContain('http-equiv="refresh"');
  });
});
