import { once } from 'node:events';
import { createServer } from 'node:http';
import { platformNames } from '@leadback/domain';
import { platformSandbox } from '@leadback/platform-sandbox';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { preparedEvent } from './prepared-event.ts';

const server = createServer(platformSandbox({ now: () => now })).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: url }, { now: () => now });

const open = {
  meta: (accessToken = 'EAAB') =>
    platforms.meta.access({ pixelId: '1234567890', testEventCode: 'TEST1' }, { accessToken }, 'live'),
  google: (refreshToken = '1//r') =>
    platforms.google.access(
      { customerId: '123-456-7890', conversionActionId: '848898416', loginCustomerId: '987-654-3210' },
      { clientId: 'client', clientSecret: 'secret', refreshToken },
      'live',
    ),
  tiktok: (accessToken = 'token') =>
    platforms.tiktok.access({ pixelCode: 'C17TA5JC77UDOT6CA5FG', testEventCode: 'TEST1' }, { accessToken }, 'live'),
  linkedin: (accessToken = 'token') =>
    platforms.linkedin.access({ conversionRuleId: '104012' }, { accessToken }, 'live'),
  microsoft: (refreshToken = 'refresh') =>
    platforms.microsoft.access(
      { customerId: '24601', adAccountId: '8675309', conversionName: 'Sale' },
      { developerToken: 'developer', clientId: 'client', clientSecret: 'secret', refreshToken },
      'live',
    ),
};

const received = async () => (await fetch(`${url}/events`)).json();
beforeEach(() => fetch(`${url}/events`, { method: 'DELETE' }));

const client = {
  email: 'Ana.Perez@gmail.com',
  phoneNumber: '011 15-2345-6789',
  name: 'Ana Pérez',
  externalReference: 'c 1',
};
const browser = {
  ipAddress: '2001:db8::1',
  userAgent: 'Mozilla/5.0',
  landingUrl: 'https://landing.example/offer?x=ñ y',
  acceptLanguage: 'es-AR,es;q=0.9',
  referrer: 'https://www.tiktok.com/',
};

const everything = givenConversion({
  client,
  lead: {
    ...browser,
    clickParameters: {
      fbclid: 'IwAR-_x',
      gclid: 'CjwK',
      ttclid: 'E.C.P.CroB',
      li_fat_id: 'df5gf5-gh6t7-ph4j7h-fgf6n1',
      msclkid: 'f894f652ea334e739002f7167ab8f8e3',
      _fbp: 'fb.1.1558571054389.1',
      _ttp: '2Lx3_kCfVb9MGzCzb0',
    },
  },
});
const conversions = [
  ['everything', everything],
  ['contact data alone', givenConversion({ client, amount: '0.00', currency: 'ARS' })],
  [
    'clicks alone',
    givenConversion({
      lead: {
        clickParameters: {
          fbclid: 'IwAR',
          wbraid: 'CjkK',
          ttclid: 'E.C.P',
          li_fat_id: 'df5gf5-gh6t7',
          msclkid: 'F894F652EA334E739002F7167AB8F8E3',
        },
      },
    }),
  ],
  [
    'clicks beside contact data',
    givenConversion({ client, lead: { clickParameters: { _fbc: 'fb.1.1795262400000.A.AQYB', gbraid: 'CjkK' } } }),
  ],
  ['a visitor behind a proxy', givenConversion({ client, lead: { ...browser, ipAddress: '::ffff:10.0.0.5' } })],
  [
    'a visitor with invented data',
    givenConversion({
      client,
      lead: {
        ...browser,
        clickParameters: {
          fbclid: '<b>&"%00',
          gclid: '<script>',
          ttclid: '<i>',
          li_fat_id: '<b>',
          msclkid: '<p>',
          _ttp: '<u>',
          _fbp: 'fb.1.2.x',
          _fbc: '..',
        },
        acceptLanguage: '<i>,es',
        referrer: 'javascript:1',
      },
    }),
  ],
] as const;

describe.each(platformNames)('the %s adapter and the sandbox', (name) => {
  it.each(conversions)('the sandbox accepts the event of %s', async (_name, conversion) => {
    const access = open[name]();
    const event = preparedEvent(access, conversion);
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await received()).toMatchObject([{ platform: name, event }]);
  });

  it.runIf(platforms[name].canLimitUse)('the sandbox accepts the event of what must not be personalised', async () => {
    const access = open[name]();
    const limited = givenConversion({ client, lead: { ...browser, sharing: 'unpersonalised' } });
    expect(await access.send([preparedEvent(access, limited)])).toMatchObject({ outcome: { kind: 'delivered' } });
  });

  it('the sandbox accepts as many events as fit into one request, and no more', async () => {
    const access = open[name]();
    const event = preparedEvent(access, everything);
    const events = Array.from({ length: platforms[name].limits.eventsMax.live }, () => event);
    expect(await access.send(events)).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await access.send([...events, event])).toMatchObject({ outcome: { kind: 'rejected' } });
  });

  it.each([
    ['server-error', 'unavailable'],
    ['rate-limited', 'throttled'],
    ['bad-credentials', 'refused'],
    ['bad-event', 'rejected'],
    ['reset', 'unavailable'],
    ['garbage', 'unavailable'],
  ])('a sandbox that responds %s gives %s', async (behaviour, kind) => {
    const access = open[name]();
    const event = preparedEvent(access, everything);
    const behave = (answer: string) =>
      fetch(`${url}/behaviour`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ platform: name, answer }),
      });
    await behave(behaviour);
    expect(await access.send([event])).toMatchObject({ outcome: { kind } });
    await behave('ok');
  });

  it('checks the sandbox with an event that is not counted', async () => {
    expect(await open[name]().check()).toMatchObject({ outcome: { kind: 'delivered' } });
    // Google only validates the event, so nothing arrives; platforms without tests count none that matches nobody
    const counted = z.array(z.looseObject({ testEventCode: z.string().optional() })).parse(await received());
    const unmarked = counted.filter(({ testEventCode }) => testEventCode !== 'TEST1');
    expect(unmarked).toHaveLength(platforms[name].takesTests ? 0 : 1);
    for (const identifier of Object.values(client)) expect(JSON.stringify(unmarked)).not.toContain(identifier);
  });

  it('the sandbox rejects revoked credentials', async () => {
    const access = open[name]('revoked');
    const event = preparedEvent(access, everything);
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'refused' } });
  });
});
