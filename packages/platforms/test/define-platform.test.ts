import { type AttributedConversion, hasMatchKey, matchKeys, matchKeysOf, platformNames } from '@leadback/domain';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { isRemedy } from '../src/exchange.ts';
import { platformList, platformRegistry, platformSettings, platformUrl, type SendingMode } from '../src/index.ts';
import { givenAdjustment, givenConversion, now } from './given-conversion.ts';
import { connected, givenPlatform } from './given-platform.ts';
import { conversions, everything } from './visitors.ts';

const minute = 60_000;
const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });

const occurredAt = (offsetMs: number) => ({ occurredAt: new Date(now + offsetMs) });
const open = (needsConsent: boolean, mode: SendingMode = 'live') =>
  connected(givenPlatform({ needsConsent }))({}, {}, mode);

describe.each(platformNames.map((name) => platforms[name]))(
  'the platform $name',
  ({ name, limits, fields, codes, sample, ...platform }) => {
    const prepared = (given: Partial<AttributedConversion>, sharing: 'granted' | 'refused' = 'granted') => {
      const { settings, credentials } = sample(1);
      const conversion = givenConversion({ client: { email: 'ana@example.com' }, lead: { sharing }, ...given });
      return platform.access(settings, credentials, 'live').prepare(conversion, now);
    };

    it(`sends ${name} an event until it is as old as the platform accepts, and skips it afterwards`, () => {
      expect(prepared(occurredAt(-limits.eventAgeMaxMs))).toMatchObject({ kind: 'event' });
      expect(prepared(occurredAt(-limits.eventAgeMaxMs - 1))).toEqual({ kind: 'skipped', reason: 'event_too_old' });
    });

    it(`says when an event for ${name} that occurs only later can be sent`, () => {
      expect(prepared(occurredAt(5 * minute))).toEqual({ kind: 'early', inMs: 5 * minute });
      expect(prepared(occurredAt(0))).toMatchObject({ kind: 'event' });
    });

    it(`skips an event for ${name} if the visitor refused to share`, () => {
      expect(prepared({}, 'refused')).toEqual({ kind: 'skipped', reason: 'consent' });
    });

    it(`${name} asks for settings and credentials by names that exist, and by no name twice`, () => {
      const names = fields.map((field) => field.name);
      expect(names).toEqual([...new Set(names)]);
      const remedies = [...Object.values(codes.table), codes.otherRemedy].filter(isRemedy);
      expect(remedies.length).toBeGreaterThan(1);
      const asked = remedies.flatMap(({ change, credentials = [] }) => [...change, ...credentials]);
      expect(asked.filter((one) => !names.includes(one))).toEqual([]);
    });

    it(`finds the remedy for each code of ${name} that rejects a connection`, () => {
      const rejecting = Object.entries(codes.table).flatMap(([code, meaning]) => (isRemedy(meaning) ? [code] : []));
      // a range, a subcode or a message is no code by itself
      const found = rejecting.filter((code) => platform.remedyFor(`${code}: words`) === codes.table[code]);
      expect(rejecting.filter((code) => !found.includes(code) && /^\w+$/.test(code))).toEqual([]);
      expect(found).not.toEqual([]);
    });

    /** The keys by which the platform can match the event of a conversion. */
    const keysOf = (conversion: AttributedConversion) => {
      const event = prepared(conversion);
      return event.kind === 'event' ? matchKeys.filter((key) => hasMatchKey(event.keys, key)) : [];
    };

    it(`names the keys by which ${name} can match an event, and no others`, () => {
      // a click has one of Google's ids
      const expected = matchKeysOf(name).filter((key) => key !== 'gbraid' && key !== 'wbraid');
      expect(keysOf(everything).toSorted()).toEqual(expected.toSorted());
      for (const [, conversion] of conversions)
        expect(matchKeysOf(name)).toEqual(expect.arrayContaining(keysOf(conversion)));
      const reference = givenConversion({ client: { email: 'ana@example.com', externalReference: ' ' } });
      expect(keysOf(reference)).toEqual(['email']);
    });
  },
);

describe('a platform whose own rules differ', () => {
  const refused = givenConversion({ lead: { sharing: 'refused' } });

  it('a platform that needs no consent is told of visitors who refused to share', () => {
    expect(open(true).prepare(refused, now)).toEqual({ kind: 'skipped', reason: 'consent' });
    expect(open(false).prepare(refused, now)).toMatchObject({ kind: 'event' });
  });

  it('a platform without test codes is sent tests without one, marked as tests', async () => {
    expect(open(false, 'test').prepare(refused, now)).toMatchObject({ kind: 'event' });
    expect(await open(false, 'test').send([{}])).toMatchObject({ body: '{}' });
    expect(await open(false).send([{}])).toMatchObject({ body: 'null' });
  });

  it.each(['opted_out', 'unpersonalised', 'agreed_unpersonalised'] as const)(
    'a platform that cannot limit the use of data is not told of a visitor whose data is %s, unless it needs no consent',
    (sharing) => {
      const limited = givenConversion({ lead: { sharing } });
      const prepared = (rules: Parameters<typeof givenPlatform>[0]) =>
        connected(givenPlatform(rules))({}, {}, 'live').prepare(limited, now);
      const skipped = { kind: 'skipped', reason: 'consent' };
      expect(prepared({ needsConsent: true, canLimitUse: false })).toEqual(skipped);
      expect(prepared({ needsConsent: true, canLimitUse: true })).toMatchObject({ kind: 'event' });
      expect(prepared({ needsConsent: false, canLimitUse: false })).toMatchObject({ kind: 'event' });
    },
  );

  it.each([true, false])('a platform that needs consent (%s) is told nothing once it is withdrawn', (needsConsent) => {
    const access = connected(givenPlatform({ needsConsent }))({}, {}, 'live');
    const withdrawn = givenConversion({ lead: { sharing: 'withdrawn' } });
    expect(access.prepare(withdrawn, now)).toEqual({ kind: 'skipped', reason: 'consent_withdrawn' });
  });

  it('a platform that takes no tests is sent none, but can be checked', async () => {
    const access = connected(givenPlatform({ takesTests: false }))({}, {}, 'test');
    expect(access.prepare(refused, now)).toEqual({ kind: 'skipped', reason: 'no_test_mode' });
    expect(await access.check()).toMatchObject({ outcome: { kind: 'delivered' } });
    const live = connected(givenPlatform({ takesTests: false }))({}, {}, 'live');
    expect(live.prepare(refused, now)).toMatchObject({ kind: 'event' });
  });

  it.each(['restate', 'retract'] as const)('a platform without an event for it is not told of: %s', (kind) => {
    const adjustment = givenAdjustment({ kind });
    expect(open(false).prepare(adjustment, now)).toEqual({ kind: 'skipped', reason: 'not_supported' });
  });

  it('an adjustment needs the consent for its conversion, and is judged by the time at which it was made', () => {
    const refund = { pixelId: '1', refundEvent: 'Refund' };
    const meta = platforms.meta.access(refund, { accessToken: 'a' }, 'live');
    const client = { email: 'ana@example.com' };
    const old = { occurredAt: new Date(now - 30 * 24 * 60 * minute) };
    const prepare = (changes: object, lead = {}) =>
      meta.prepare(givenAdjustment(changes, { client, lead, ...old }), now);
    expect(prepare({})).toMatchObject({ kind: 'event' });
    expect(prepare({ occurredAt: new Date(now + minute) })).toEqual({ kind: 'early', inMs: minute });
    expect(prepare(old)).toEqual({ kind: 'skipped', reason: 'event_too_old' });
    expect(prepare({}, { sharing: 'refused' })).toEqual({ kind: 'skipped', reason: 'consent' });
    expect(prepare({}, { sharing: 'withdrawn' })).toEqual({ kind: 'skipped', reason: 'consent_withdrawn' });
  });

  it('a platform without a quota has no quota slots to take', () => {
    expect(open(false).takeSlot).toBeUndefined();
  });

  it('no platform is defined with a field that lacks its help, or its text in a language', () => {
    const url = z.string();
    expect(() => givenPlatform({ settings: z.object({ url }) })).toThrow('url: has no help');
    const described = url.meta({ help: 'where', value: 'url' });
    expect(() => givenPlatform({ settings: z.object({ url: described }) })).toThrow('url: has no text in en');
  });
});

describe('the settings of platforms', () => {
  const env = { GIVEN_API_URL: platformUrl('https://api.given.example') };
  const read = (settings: Readonly<Record<string, string>>) => {
    const onConnect = vi.fn<(values: readonly string[]) => void>();
    connected(givenPlatform({ env, onConnect }), settings);
    return onConnect.mock.calls[0]?.[0];
  };

  it("a platform's own URL setting comes before that of the sandbox, and both before the real URL", () => {
    const sandbox = { PLATFORM_SANDBOX_URL: 'http://sandbox:1/' };
    expect(read({})).toEqual(['https://api.given.example']);
    expect(read(sandbox)).toEqual(['http://sandbox:1']);
    expect(read({ ...sandbox, GIVEN_API_URL: 'https://other.example/x/' })).toEqual(['https://other.example/x']);
  });

  it('apps read the settings of every platform, and refuse invalid ones when they start', () => {
    const schema = z.object(platformSettings([givenPlatform({ env })]));
    expect(schema.parse({})).toEqual({});
    const set = { GIVEN_API_URL: 'https://other.example' };
    expect(schema.parse(set)).toEqual(set);
    expect(schema.safeParse({ GIVEN_API_URL: 'nowhere' }).error?.issues).toMatchObject([{ path: ['GIVEN_API_URL'] }]);
  });

  it('the versions of APIs that a release uses have the end that the platform has announced', () => {
    expect(platformList.map(({ name, apiVersion: { version, endsAt } }) => [name, version, endsAt])).toEqual([
      ['meta', 'v26.0', new Date('2027-07-29')],
      ['google', 'v1', undefined],
      ['tiktok', 'v1.3', undefined],
      ['linkedin', '202607', new Date('2027-07-15')],
      ['microsoft', 'v13', undefined],
    ]);
    for (const { apiVersion } of platformList)
      expect(URL.parse(apiVersion.source)).toMatchObject({ protocol: 'https:' });
  });

  it('platforms are not opened if a supported one is missing', () => {
    expect(() => platformRegistry({}, {}, platformList.slice(1))).toThrow('not all of these platforms are registered');
  });
});
