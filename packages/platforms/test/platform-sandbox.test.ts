import { once } from 'node:events';
import { createServer } from 'node:http';
import { platformNames } from '@leadback/domain';
import { platformSandbox } from '@leadback/platform-sandbox';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, givenLead, now } from './given-conversion.ts';
import { preparedEvent } from './prepared-event.ts';
import { browser, client, conversions, everything } from './visitors.ts';

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

// for those platforms that have no name for leads by themselves
const leadNames = { leadConversionActionId: '555', leadConversionRuleId: '555', leadConversionName: 'Trial' };

const received = async () => (await fetch(`${url}/events`)).json();
beforeEach(() => fetch(`${url}/events`, { method: 'DELETE' }));

const limiting = platformNames.filter((name) => platforms[name].canLimitUse);

it.each(limiting)('the sandbox of %s accepts the event of what must not be personalised', async (name) => {
  const access = open[name]();
  const limited = givenConversion({ client, lead: { ...browser, sharing: 'unpersonalised' } });
  expect(await access.send([preparedEvent(access, limited)])).toMatchObject({ outcome: { kind: 'delivered' } });
});

describe.each(platformNames)('the %s adapter and the sandbox', (name) => {
  it.each(conversions)('the sandbox accepts the event of %s', async (_name, conversion) => {
    const access = open[name]();
    const event = preparedEvent(access, conversion);
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await received()).toMatchObject([{ platform: name, event }]);
  });

  it('the sandbox accepts a Lead event', async () => {
    const { settings, credentials } = platforms[name].sample(1);
    const access = platforms[name].access({ ...z.looseObject({}).parse(settings), ...leadNames }, credentials, 'live');
    const event = preparedEvent(access, givenLead({ client }));
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await received()).toMatchObject([{ platform: name, event }]);
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
