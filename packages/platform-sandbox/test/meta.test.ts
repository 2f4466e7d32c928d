import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hash, metaEvent, metaRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

const errorWith = (error: Readonly<Record<string, unknown>>) => ({
  error: { message: expect.any(String), type: 'OAuthException', fbtrace_id: expect.any(String), ...error },
});

const web = { action_source: 'website', event_source_url: 'https://landing.example/offer' };
const browser = { client_ip_address: '2001:db8::1', client_user_agent: 'Mozilla/5.0' };
const dayS = 24 * 60 * 60;

describe('events of the Conversions API', () => {
  it.each([
    ['hashed contact data', metaEvent()],
    ['a hash that is not in a list', metaEvent({ user_data: { em: hash } })],
    ['several hashes in a list', metaEvent({ user_data: { ph: [hash, hash.replaceAll('6', '7')] } })],
    ['a browser on a page', metaEvent({ ...web, user_data: browser })],
    [
      'click parameters',
      metaEvent({ user_data: { fbc: 'fb.1.1554763741205.AbC-_x', fbp: 'fb.1.1558571054389.1098' } }),
    ],
    ['an event without a value', metaEvent({ event_name: 'Lead', custom_data: undefined })],
    ['an event of almost seven days ago', metaEvent({ event_time: nowMs / 1000 - 7 * dayS })],
    [
      'a store event of weeks ago',
      metaEvent({ action_source: 'physical_store', event_time: nowMs / 1000 - 60 * dayS }),
    ],
  ])('Meta accepts %s', async (_name, event) => {
    const { status, body } = await sandbox.meta(metaRequest(event));
    expect({ status, body }).toEqual({
      status: 200,
      body: { events_received: 1, messages: [], fbtrace_id: expect.any(String) },
    });
    expect(await sandbox.received()).toEqual([
      {
        platform: 'meta',
        connection: '1234567890',
        receivedAt: new Date(nowMs).toISOString(),
        event: JSON.parse(JSON.stringify(event)),
      },
    ]);
  });

  it.each([
    ['no name', { event_name: undefined }, 'data[0].event_name'],
    ['no time', { event_time: undefined }, 'data[0].event_time'],
    ['a time in milliseconds', { event_time: nowMs }, 'data[0].event_time'],
    ['a time with a fraction', { event_time: nowMs / 1000 + 0.5 }, 'data[0].event_time'],
    ['a time in the future', { event_time: nowMs / 1000 + 61 }, 'data[0].event_time'],
    ['no source', { action_source: undefined }, 'data[0].action_source'],
    ['an unknown source', { action_source: 'web' }, 'data[0].action_source'],
    ['no user data', { user_data: undefined }, 'data[0].user_data'],
    ['a readable id', { user_data: { external_id: ['7'] } }, 'data[0].user_data.external_id'],
    [
      'a hashed IP address',
      { user_data: { em: [hash], client_ip_address: hash } },
      'data[0].user_data.client_ip_address',
    ],
    [
      'a hashed browser',
      { user_data: { em: [hash], client_user_agent: hash.toUpperCase() } },
      'data[0].user_data.client_user_agent',
    ],
    ['a hashed fbp', { user_data: { em: [hash], fbp: hash } }, 'data[0].user_data.fbp'],
    ['an empty list of phones', { user_data: { em: [hash], ph: [] } }, 'data[0].user_data.ph'],
    ['a readable phone in a list', { user_data: { ph: [hash, '5491123456789'] } }, 'data[0].user_data.ph'],
    [
      'a template for the click id of fbc',
      { user_data: { em: [hash], fbc: 'fb.1.1554763741205.{{fbclid}}' } },
      'data[0].user_data.fbc',
    ],
    [
      'a word for the click id of fbc',
      { user_data: { em: [hash], fbc: 'fb.1.1554763741205.null' } },
      'data[0].user_data.fbc',
    ],
    ['a bare click id for fbc', { user_data: { em: [hash], fbc: 'IwAR2F4' } }, 'data[0].user_data.fbc'],
    ['an fbp with a blank', { user_data: { em: [hash], fbp: 'fb.1.1558571054389.1 2' } }, 'data[0].user_data.fbp'],
    ['a web event without a page', { ...web, event_source_url: undefined, user_data: browser }, 'event_source_url'],
    ['a web event without a browser', web, 'client_user_agent'],
    [
      'a page that is not on the web',
      { ...web, event_source_url: 'app://offer', user_data: browser },
      'event_source_url',
    ],
    ['a purchase without a value', { custom_data: { currency: 'USD' } }, 'data[0].custom_data'],
    ['a purchase without a currency', { custom_data: { value: 1 } }, 'data[0].custom_data'],
    ['a value in a string', { custom_data: { value: '1', currency: 'USD' } }, 'data[0].custom_data.value'],
    ['a currency in small letters', { custom_data: { value: 1, currency: 'usd' } }, 'data[0].custom_data.currency'],
  ])('Meta rejects an event with %s and names the field', async (_name, changes, where) => {
    const { status, body } = await sandbox.meta(metaRequest(metaEvent(changes)));
    expect({ status, body }).toEqual({
      status: 400,
      body: errorWith({ code: 100, is_transient: false, error_user_msg: expect.stringContaining(where) }),
    });
  });

  it.each([
    ['older than seven days', { event_time: nowMs / 1000 - 7 * dayS - 1 }, 2804003],
    ['without matchable data', { user_data: { fn: [hash], client_user_agent: 'Mozilla/5.0' } }, 2804050],
  ])('Meta has a subcode for an event %s', async (_name, changes, subcode) => {
    const { body } = await sandbox.meta(metaRequest(metaEvent(changes)));
    expect(body).toMatchObject({ error: { code: 100, error_subcode: subcode } });
  });

  it('Meta rejects a whole request for one invalid event', async () => {
    const { status, body } = await sandbox.meta(metaRequest(metaEvent(), metaEvent({ event_time: 1 })));
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { error_subcode: 2804003 } } });
    expect(await sandbox.received()).toEqual([]);
  });

  it.each([
    ['none', { data: [], access_token: 'EAAB' }],
    ['too many', metaRequest(...Array.from({ length: 1001 }, () => metaEvent()))],
    ['a text', { data: 'x', access_token: 'EAAB' }],
  ])('Meta rejects events that are not a list of 1 to 1000: %s', async (_name, body) => {
    expect(await sandbox.meta(body)).toMatchObject({ status: 400, body: errorWith({ code: 100 }) });
  });

  it.each(['/v25.0/1234567890/events?access_token=EAAB', '/v26.0/1/events?access_token=EAAB'])(
    'Meta accepts events at %s',
    async (path) => {
      expect(await sandbox.meta({ data: [metaEvent()] }, path)).toMatchObject({ status: 200 });
    },
  );

  it('Meta requires an access token', async () => {
    expect(await sandbox.meta({ data: [metaEvent()] })).toMatchObject({ status: 400, body: errorWith({ code: 104 }) });
  });

  it('Meta rejects a revoked token', async () => {
    const answered = await sandbox.meta({ data: [metaEvent()], access_token: 'EAAB-revoked' });
    expect(answered).toMatchObject({ status: 400, body: errorWith({ code: 190 }) });
  });

  it('Meta requires a pixel id', async () => {
    const answered = await sandbox.meta(metaRequest(metaEvent()), '/v25.0/my-pixel/events');
    expect(answered).toMatchObject({ status: 400, body: { error: { code: 100, error_subcode: 33 } } });
  });

  it('Meta rejects a body that is not JSON', async () => {
    expect(await sandbox.meta('{"data"')).toMatchObject({ status: 400, body: errorWith({ code: 100 }) });
  });

  it("lists Meta's test events with their code", async () => {
    await sandbox.meta({ ...metaRequest(metaEvent()), test_event_code: 'TEST1' });
    await sandbox.meta(metaRequest(metaEvent()));
    const [live, test] = z.array(z.object({ testEventCode: z.string().optional() })).parse(await sandbox.received());
    expect([live?.testEventCode, test?.testEventCode]).toEqual([undefined, 'TEST1']);
  });
});

it('Meta accepts events with a proof of the app secret and rejects a malformed proof', async () => {
  const request = metaRequest(metaEvent());
  expect(await sandbox.meta({ ...request, appsecret_proof: hash })).toMatchObject({ status: 200 });
  for (const proof of ['app-secret', hash.toUpperCase(), '']) {
    expect(await sandbox.meta({ ...request, appsecret_proof: proof })).toMatchObject({
      status: 400,
      body: { error: { code: 100, message: expect.stringContaining('Invalid appsecret_proof') } },
    });
  }
});

const sendFbp = (fbp: string) => sandbox.meta(metaRequest(metaEvent({ user_data: { em: [hash], fbp } })));

describe('fbp of an event of the Conversions API', () => {
  it.each(['fb.0.1558571054389.1', 'fb.2.1558571054389.12345678901234567890.AQYBAgAB', 'fb.1.1558571054389.1098.A_'])(
    'Meta accepts fbp as in the cookie: %s',
    async (fbp) => {
      expect(await sendFbp(fbp)).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ['without its random number', 'fb.1.1558571054389.x'],
    ['in seconds', 'fb.1.1558571054.1'],
    ['in microseconds', 'fb.1.1558571054389000.1'],
    ['with too long a number', `fb.1.1558571054389.${'1'.repeat(21)}`],
    ['with too short an appendix', 'fb.1.1558571054389.1.A'],
    ['with too long an appendix', 'fb.1.1558571054389.1.AQYBAgABx'],
  ])('Meta rejects an fbp %s', async (_name, fbp) => {
    expect(await sendFbp(fbp)).toMatchObject({
      status: 400,
      body: { error: { code: 100, error_user_msg: expect.stringContaining('user_data.fbp') } },
    });
  });
});
