import { once } from 'node:events';
import { createServer } from 'node:http';
import { type PlatformName, platformNames } from '@leadback/domain';
import { platformSandbox } from '@leadback/platform-sandbox';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleAnswer, platformRegistry } from '../src/index.ts';
import { givenConversion, givenLead, now } from './given-conversion.ts';
import { preparedEvent } from './prepared-event.ts';
import { browser, client, conversions, everything } from './visitors.ts';

const server = createServer(platformSandbox({ now: () => now })).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: url }, { now: () => now });

const fieldsSchema = z.record(z.string(), z.unknown());

// for those platforms that have them
const more = { testEventCode: 'TEST1', loginCustomerId: '987-654-3210' };

const merged = (sample: unknown, own?: object) => ({ ...fieldsSchema.parse(sample), ...more, ...own });

/** `changed`: settings and credentials that are not those of its sample. */
const open = (name: PlatformName, changed: { settings?: object; credentials?: object } = {}) => {
  const { settings, credentials } = platforms[name].sample(1);
  return platforms[name].access(merged(settings, changed.settings), merged(credentials, changed.credentials), 'live');
};

// for those platforms that have no name for leads by themselves
const leadNames = { leadConversionActionId: '555', leadConversionRuleId: '555', leadConversionName: 'Trial' };

const revoked: Readonly<Record<PlatformName, object>> = {
  meta: { accessToken: 'revoked' },
  google: { refreshToken: 'revoked' },
  tiktok: { accessToken: 'revoked' },
  linkedin: { accessToken: 'revoked' },
  microsoft: { refreshToken: 'revoked' },
};

const received = async () => (await fetch(`${url}/events`)).json();
beforeEach(() => fetch(`${url}/events`, { method: 'DELETE' }));

const limiting = platformNames.filter((name) => platforms[name].canLimitUse);

it.each(limiting)('the sandbox of %s accepts the event of what must not be personalised', async (name) => {
  const access = open(name);
  const limited = givenConversion({ client, lead: { ...browser, sharing: 'unpersonalised' } });
  expect(await access.send([preparedEvent(access, limited)])).toMatchObject({ outcome: { kind: 'delivered' } });
});

describe.each(platformNames.filter((name) => platforms[name].takesTests))('the examples of %s', (name) => {
  it('get from the sandbox what is recorded beside them, and nothing of them is counted', async () => {
    const { examples } = open(name);
    if (examples === undefined) throw new Error('there are none');
    const all = examples.all();
    expect(all[0]).toMatchObject({ about: 'a sale', sandbox: { outcome: 'delivered' } });
    for (const example of all) {
      const { words, ...answer } = exampleAnswer(await examples.send(example));
      expect({ about: example.about, answer }).toEqual({ about: example.about, answer: example.sandbox });
      expect(words === null).toBe(answer.outcome === 'delivered');
    }
    const counted = z.array(z.looseObject({ testEventCode: z.string().optional() })).parse(await received());
    expect(counted.filter(({ testEventCode }) => testEventCode !== 'TEST1')).toEqual([]);
  });
});

it('only platforms with tests have examples', () => {
  expect(platformNames.filter((name) => open(name).examples !== undefined)).toEqual(['meta', 'google', 'tiktok']);
});

describe.each(platformNames)('the %s adapter and the sandbox', (name) => {
  it.each(conversions)('the sandbox accepts the event of %s', async (_name, conversion) => {
    const access = open(name);
    const event = preparedEvent(access, conversion);
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await received()).toMatchObject([{ platform: name, event }]);
  });

  it('the sandbox accepts a Lead event', async () => {
    const access = open(name, { settings: leadNames });
    const event = preparedEvent(access, givenLead({ client }));
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(await received()).toMatchObject([{ platform: name, event }]);
  });

  it('the sandbox accepts as many events as fit into one request, and no more', async () => {
    const access = open(name);
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
    const access = open(name);
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
    expect(await open(name).check()).toMatchObject({ outcome: { kind: 'delivered' } });
    // Google only validates the event, so nothing arrives; platforms without tests count none that matches nobody
    const counted = z.array(z.looseObject({ testEventCode: z.string().optional() })).parse(await received());
    const unmarked = counted.filter(({ testEventCode }) => testEventCode !== 'TEST1');
    expect(unmarked).toHaveLength(platforms[name].takesTests ? 0 : 1);
    for (const identifier of Object.values(client)) expect(JSON.stringify(unmarked)).not.toContain(identifier);
  });

  it('the sandbox rejects revoked credentials', async () => {
    const access = open(name, { credentials: revoked[name] });
    const event = preparedEvent(access, everything);
    expect(await access.send([event])).toMatchObject({ outcome: { kind: 'refused' } });
  });
});
