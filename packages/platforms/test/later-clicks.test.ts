import { describe, expect, it } from 'vitest';
import { platformRegistry, type PlatformAccess } from '../src/index.ts';
import { givenAdjustment, givenConversion, now } from './given-conversion.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const ago = (ms: number) => new Date(now - ms);

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });
const access: Readonly<Record<string, PlatformAccess>> = {
  meta: platforms.meta.access({ pixelId: '1' }, { accessToken: 'a' }, 'live'),
  google: platforms.google.access(platforms.google.sample(1).settings, platforms.google.sample(1).credentials, 'live'),
  microsoft: platforms.microsoft.access(
    platforms.microsoft.sample(1).settings,
    platforms.microsoft.sample(1).credentials,
    'live',
  ),
};
const clickParameters = { gclid: 'Cj0K', fbclid: 'IwAR', msclkid: '0123456789abcdef0123456789abcdef' };
const landingUrl = 'https://go.example/offer?fbclid=IwAR';
const prepare = (platform: string, event: Parameters<PlatformAccess['prepare']>[0]) =>
  JSON.stringify(access[platform]?.prepare(event, now));

const sale = (more: Parameters<typeof givenConversion>[0] = {}) =>
  givenConversion({ occurredAt: ago(2 * dayMs), ...more, lead: { clickParameters, landingUrl, ...more.lead } });

/** Of a pixel, with the time of its click. */
const fbcOf = (ms: number) => ({ clickParameters: { _fbc: `fb.1.${now - ms}.IwAR` } });

describe('a click that came after the sale', () => {
  it.each(Object.keys(access))('is not sent to %s with it, and says so if nothing else matches', (platform) => {
    expect(prepare(platform, sale())).toBe(JSON.stringify({ kind: 'skipped', reason: 'before_click' }));
    const known = prepare(platform, sale({ client: { email: 'ana@example.com' } }));
    expect(known).toContain('"kind":"event"');
    for (const id of ['Cj0K', 'IwAR', '0123456789abcdef']) expect(known).not.toContain(id);
  });

  it.each(Object.keys(access))('is sent to %s if it came within five minutes: clocks differ', (platform) => {
    expect(prepare(platform, sale({ occurredAt: ago(5 * minuteMs) }))).toContain('"kind":"event"');
  });

  it('leaves the clicks of earlier visits, which a later one remembers', () => {
    const lead = { clickTimes: { gclid: ago(3 * dayMs) } };
    expect(prepare('google', sale({ lead }))).toContain('Cj0K');
    expect(prepare('meta', sale({ lead }))).toContain('before_click');
  });

  it('is not sent as the cookie of a pixel', () => {
    expect(prepare('meta', sale({ lead: fbcOf(dayMs) }))).toContain('before_click');
    expect(prepare('meta', sale({ lead: fbcOf(3 * dayMs) }))).toContain('IwAR');
  });

  it('is not sent with a correction of the sale', () => {
    const client = { email: 'ana@example.com' };
    const lead = { clickParameters };
    const adjustment = givenAdjustment({}, { client, lead, occurredAt: ago(2 * dayMs) });
    expect(prepare('google', adjustment)).not.toContain('Cj0K');
  });
});
