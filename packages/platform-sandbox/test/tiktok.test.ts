import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nowMs, serveSandbox } from './serve-sandbox.ts';
import { hash, tiktokEvent, tiktokRequest } from './given-events.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

// errors have HTTP 200, too
const answer = (code: number, message: unknown = expect.any(String)) => ({
  status: 200,
  body: { code, message, request_id: expect.stringMatching(/^[0-9A-F]{32}$/), data: {} },
});
const send = async (body: unknown, token?: string) => {
  const { status, body: answered } = await sandbox.tiktok(body, token);
  return { status, body: answered };
};

const dayS = 24 * 60 * 60;
const click = {
  ttclid: 'E.C.P.CroBXpgj~_y-',
  ttp: '2Lx3_kCfVb9MGzCzb0LbCfYPq1n',
  ip: '2001:db8::1',
  user_agent: 'Mozilla/5.0',
  locale: 'es-AR',
};

describe('events of the Events API 2.0', () => {
  it.each([
    ['hashed contact data', tiktokEvent({ user: { email: hash, phone: [hash, hash], external_id: hash } })],
    [
      'a click from a browser',
      tiktokEvent({ user: click, page: { url: 'https://landing.example/offer', referrer: 'https://www.tiktok.com/' } }),
    ],
    ['a language with its script', tiktokEvent({ user: { email: hash, locale: 'zh-Hant-TW' } })],
    ['a language of a continent', tiktokEvent({ user: { email: hash, locale: 'es-419' } })],
    ['an event without a value', tiktokEvent({ event: 'Lead', properties: undefined })],
    ['limited data use', tiktokEvent({ limited_data_use: true })],
    ['an event of almost seven days ago', tiktokEvent({ event_time: nowMs / 1000 - 7 * dayS })],
  ])('TikTok accepts %s', async (_name, event) => {
    expect(await send(tiktokRequest(event))).toEqual(answer(0, 'OK'));
    expect(await sandbox.received()).toEqual([
      {
        platform: 'tiktok',
        connection: 'C17TA5JC77UDOT6CA5FG',
        receivedAt: new Date(nowMs).toISOString(),
        event: JSON.parse(JSON.stringify(event)),
      },
    ]);
  });

  it.each([
    ['no name', { event: undefined }, 'data.0.event: Missing data'],
    ['no time', { event_time: undefined }, 'data.0.event_time: Missing data'],
    ['a time in milliseconds', { event_time: nowMs }, 'data.0.event_time'],
    ['a time with a fraction', { event_time: nowMs / 1000 + 0.5 }, 'data.0.event_time'],
    ['a time in the future', { event_time: nowMs / 1000 + 61 }, 'data.0.event_time'],
    ['a time of more than seven days ago', { event_time: nowMs / 1000 - 7 * dayS - 1 }, 'data.0.event_time'],
    ['an id that is a number', { event_id: 1 }, 'data.0.event_id: Not a valid string'],
    ['no user', { user: undefined }, 'data.0.user: Missing data'],
    [
      'no matchable data',
      { user: { ...click, ttclid: undefined, ttp: undefined, first_name: hash } },
      'data.0.user: Needs one of',
    ],
    ['a readable email', { user: { email: 'ana@example.com' } }, 'data.0.user.email'],
    ['a readable phone in a list', { user: { phone: ['+5491123456789'] } }, 'data.0.user.phone'],
    ['a hash in capitals', { user: { phone: hash.toUpperCase() } }, 'data.0.user.phone'],
    ['a readable id', { user: { external_id: '7' } }, 'data.0.user.external_id'],
    ['a readable name', { user: { email: hash, first_name: 'ana' } }, 'data.0.user.first_name'],
    ['a hashed IP address', { user: { email: hash, ip: hash } }, 'data.0.user.ip'],
    ['a browser id with a blank', { user: { ttp: '2Lx 3' } }, 'data.0.user.ttp'],
    ['an invalid language', { user: { email: hash, locale: 'hello' } }, 'data.0.user.locale'],
    ['a language with an extension', { user: { email: hash, locale: 'en-US-u-ca-gregory' } }, 'data.0.user.locale'],
    ['a whole list of languages', { user: { email: hash, locale: 'es-AR,es;q=0.9' } }, 'data.0.user.locale'],
    [
      'a referrer that is not on the web',
      { page: { url: 'https://a.example/', referrer: 'app://b' } },
      'data.0.page.referrer',
    ],
    ['a template for a click id', { user: { ttclid: '__CLICKID__' } }, 'data.0.user.ttclid'],
    ['a word for a click id', { user: { ttclid: 'undefined' } }, 'data.0.user.ttclid'],
    ['a click id with a blank', { user: { ttclid: 'E.C P' } }, 'data.0.user.ttclid'],
    ['a page that is not on the web', { page: { url: 'app://offer' } }, 'data.0.page.url'],
    ['a value in a string', { properties: { value: '1' } }, 'data.0.properties.value'],
    ['a currency in small letters', { properties: { currency: 'usd' } }, 'data.0.properties.currency'],
    ['an order id that is a number', { properties: { order_id: 9 } }, 'data.0.properties.order_id'],
    ['a limit in a string', { limited_data_use: 'true' }, 'data.0.limited_data_use'],
  ])('TikTok rejects an event with %s and names the field', async (_name, changes, where) => {
    expect(await send(tiktokRequest(tiktokEvent(changes)))).toEqual(answer(40002, expect.stringContaining(where)));
    expect(await sandbox.received()).toEqual([]);
  });

  it('TikTok rejects a whole request for one invalid event, and names it', async () => {
    const request = tiktokRequest(tiktokEvent(), tiktokEvent({ event_time: 1 }));
    expect(await send(request)).toEqual(answer(40002, expect.stringMatching(/^data\.1\.event_time: /)));
    expect(await sandbox.received()).toEqual([]);
  });

  it.each([
    ['no source', { event_source: undefined }, 'event_source: Missing data'],
    ['an unknown source', { event_source: 'website' }, 'event_source: Must be one of'],
    ['no pixel', { event_source_id: undefined }, 'event_source_id: Missing data'],
    ['no list', { data: 'x' }, 'data: Not a valid list'],
    ['no event', { data: [] }, 'data: Length must be between 1 and 1000'],
    ['too many', { data: Array.from({ length: 1001 }, () => tiktokEvent()) }, 'data: Length must be between'],
  ])('TikTok rejects a request with %s', async (_name, changes, message) => {
    const request = { ...tiktokRequest(tiktokEvent()), ...changes };
    expect(await send(request)).toEqual(answer(40002, expect.stringContaining(message)));
  });

  it('TikTok rejects a body that is not JSON', async () => {
    expect(await send('{"data"')).toEqual(answer(40002));
  });

  it('TikTok requires a pixel that the token has access to', async () => {
    const request = { ...tiktokRequest(tiktokEvent()), event_source_id: 'my-pixel' };
    expect(await send(request)).toEqual(answer(40001, expect.stringContaining('my-pixel')));
  });

  it.each([
    ['no token', ''],
    ['a revoked token', 'token-revoked'],
  ])('TikTok rejects a request with %s', async (_name, token) => {
    expect(await send(tiktokRequest(tiktokEvent()), token)).toEqual(answer(40104));
  });

  it('TikTok accepts test events only one per request', async () => {
    const tests = { ...tiktokRequest(tiktokEvent(), tiktokEvent()), test_event_code: 'TEST1' };
    expect(await send(tests)).toEqual(answer(40002, expect.stringContaining('test_event_code')));
    expect(await send({ ...tests, data: [tiktokEvent()] })).toEqual(answer(0, 'OK'));
  });

  it("lists TikTok's test events with their code", async () => {
    await send({ ...tiktokRequest(tiktokEvent()), test_event_code: 'TEST1' });
    await send(tiktokRequest(tiktokEvent()));
    const [live, test] = z.array(z.object({ testEventCode: z.string().optional() })).parse(await sandbox.received());
    expect([live?.testEventCode, test?.testEventCode]).toEqual([undefined, 'TEST1']);
  });
});
