import { type AttributedEvent, type PlatformName, platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, givenLead, now } from './given-conversion.ts';
import { connected, givenPlatform } from './given-platform.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });
const given = { client: { email: 'ana@example.com' } };
const sale = givenConversion(given);
const lead = givenLead({ ...given, eventId: 'lead:1' });

/** What each platform is told by: the setting for leads, another name, its field in the event, and its value there. */
const named: Readonly<Record<PlatformName, readonly [setting: string, name: string, field: string, told: unknown]>> = {
  meta: ['leadEventName', 'Subscribe', 'event_name', 'Subscribe'],
  google: ['leadConversionActionId', '555', 'destinationReferences', ['555']],
  tiktok: ['leadEventName', 'Subscribe', 'event', 'Subscribe'],
  linkedin: ['leadConversionRuleId', '555', 'conversion', 'urn:lla:llaPartnerConversion:555'],
  microsoft: ['leadConversionName', 'Trial', 'ConversionName', 'Trial'],
};

const opened = (platform: PlatformName, more: Readonly<Record<string, unknown>> = {}, eventNames?: unknown) => {
  const { settings, credentials } = platforms[platform].sample(1);
  const stored = { ...z.looseObject({}).parse(settings), ...more };
  return platforms[platform].access(stored, credentials, 'live', eventNames);
};

describe.each(platformNames)('the names of events at %s', (name) => {
  const [setting, other, field, told] = named[name];
  const fieldOf = (access: ReturnType<typeof opened>, event: AttributedEvent) =>
    z.object({ event: z.looseObject({ [field]: z.unknown() }) }).parse(access.prepare(event, now)).event[field];

  it(`${name} is told of a lead by the name for leads, without a value`, () => {
    const access = opened(name, { [setting]: other });
    expect(fieldOf(access, lead)).toEqual(told);
    expect(fieldOf(access, sale)).not.toEqual(told);
    expect(JSON.stringify(access.prepare(lead, now))).not.toMatch(/100\.2|USD|order/);
  });

  it(`${name} is told of a conversion by the name that the connection has for it`, () => {
    const access = opened(name, {}, { subscription: other });
    expect(fieldOf(access, { ...sale, eventName: 'subscription' })).toEqual(told);
    expect(fieldOf(access, { ...sale, eventName: 'unknown' })).toEqual(fieldOf(access, sale));
    expect(fieldOf(access, { ...sale, eventName: '__proto__' })).toEqual(fieldOf(access, sale));
  });

  it(`${name} refuses a connection whose event names are invalid`, () => {
    expect(() => opened(name, {}, { subscription: '' })).toThrow(z.ZodError);
    expect(() => opened(name, {}, { subscription: 5 })).toThrow(z.ZodError);
  });
});

it.each([
  ['meta', 'Lead'],
  ['tiktok', 'Lead'],
] as const)('%s is told of leads as %s if nothing else is set', (name, told) => {
  const [, , field] = named[name];
  expect(opened(name).prepare(lead, now)).toHaveProperty(`event.${field}`, told);
});

it.each(['google', 'linkedin', 'microsoft'] as const)('%s is told of no lead without a name for it', (name) => {
  expect(opened(name).prepare(lead, now)).toEqual({ kind: 'skipped', reason: 'no_lead_event' });
});

it('a platform without Lead events is told of none', () => {
  const access = connected(givenPlatform())({}, {}, 'live');
  expect(access.prepare(lead, now)).toEqual({ kind: 'skipped', reason: 'not_supported' });
});

it('events of different conversion actions go to Google in different requests', () => {
  const access = opened('google', { leadConversionActionId: '555' });
  const keys = [lead, sale, { ...sale, id: 42 }].map((event) => {
    const prepared = access.prepare(event, now);
    return prepared.kind === 'event' && access.requestKeyOf?.(prepared.event);
  });
  expect(keys).toEqual(['555', '987654321', '987654321']);
});
