import { clickIdsByPlatform, type PlatformName, platformNames, readClickParameters } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });

const ids = {
  google: 'Cj0KCQiA-abcdefghij',
  meta: 'IwAR2F4-dbP0l7Mn1IawQQ',
  tiktok: 'E.C.P.abcdefghijk',
  linkedin: '4c2b1f3e-5a6d-4e7f-8a9b-0c1d2e3f4a5b',
  microsoft: '0123456789abcdef0123456789abcdef',
} as const satisfies Record<PlatformName, string>;

const email = 'buyer@example.com';

/** What a platform is told of a sale after a click with this query. */
const told = (platform: PlatformName, query: string, client: { email?: string } = {}) => {
  const { clickParameters, clickedAtMs } = readClickParameters(query, now);
  const clickTimes = Object.fromEntries(Object.entries(clickedAtMs).map(([name, atMs]) => [name, new Date(atMs)]));
  const { settings, credentials } = platforms[platform].sample(1);
  const event = givenConversion({
    client,
    lead: { clickParameters, clickTimes, landingUrl: `https://go.example/offer?${query}` },
  });
  return JSON.stringify(platforms[platform].access(settings, credentials, 'live').prepare(event, now));
};

const named = (platform: PlatformName) => clickIdsByPlatform[platform]?.[0] ?? '';

describe('what a platform is told of a click', () => {
  it.each(
    platformNames.flatMap((platform) => {
      const [name, id] = [named(platform), ids[platform]];
      const hidden = `${name}%3D${id}`;
      return [
        `${name}=${id}`,
        `${name.toUpperCase()}=${id}`,
        `utm_source=x&amp;${name}=${id}`,
        `utm_source=x&amp;amp;${name}=${id}`,
        `utm_source=x&#38;${name}=${id}`,
        `utm_source=x%26${hidden}`,
        `utm_source=x%26amp%3B${hidden}`,
        `utm_source=x;${name}=${id}`,
        `utm_source=x%3B${name}=${id}`,
        `utm_source=x%23${name}=${id}`,
        `utm_source=x?${name}=${id}`,
        `utm_source=x%3F${hidden}`,
        `?utm_source=x&?${name}=${id}`,
        `utm_source%3Dx%26${hidden}`,
        `${name}=&${name}=${id}`,
        `${name}=${id}&${name}=other-click-1234`,
        `${name}=${id}&utm_source=x;${name}=other-click-1234`,
        `${name}=%7B${name}%7D&${name}=${id}`,
        `${name}=null&${name}=${id}`,
        `${name}=%20${id}%20`,
        `${name}=${id}?ref=x`,
      ].map((query) => [platform, query] as const);
    }),
  )('%s gets the id of the click however it was sent: %s', (platform, query) => {
    expect(told(platform, query)).toContain(`${ids[platform]}"`);
    expect(told(platform, query)).not.toContain('other-click');
  });

  const unusable = [
    '{gclid}',
    '{{fbclid}}',
    '%7B%7Bfbclid%7D%7D',
    '__CLICKID__',
    '${GCLID}',
    '%%fbclid%%',
    '[gclid]',
    '<gclid>',
    '*|CLICKID|*',
    '$(clickid)',
    'undefined',
    'null',
    'none',
    '(not set)',
    'test',
    'YOUR_FBCLID',
    'CLICKID_HERE',
    '0',
    'NaN',
    'xxxxxxxx',
    'gclid',
    'two words',
    'quoted"id"',
  ];
  it.each(platformNames.flatMap((platform) => unusable.map((sent) => [platform, sent] as const)))(
    '%s is told nothing of what is no click id: %s',
    (platform, sent) => {
      const query = `${named(platform)}=${encodeURIComponent(sent)}`;
      expect(told(platform, query)).toBe(JSON.stringify({ kind: 'skipped', reason: 'no_match_keys' }));
      // as of a sale without a click, its page included
      expect(told(platform, query, { email })).toBe(told(platform, '', { email }));
    },
  );

  const dayMs = 86_400_000;
  it.each<[PlatformName, string, string]>([
    ['google', `gclid=GCL.${Math.floor(now / 1_000) - 86_400}.EAIaIQ_x`, '"gclid":"EAIaIQ_x"'],
    ['google', `gclid=2.1.kEAIaIQ_x$i${Math.floor(now / 1_000) - 86_400}`, '"gclid":"EAIaIQ_x"'],
    ['google', `gbraid=GCL.${Math.floor(now / 1_000) - 86_400}.0AAA_b`, '"gbraid":"0AAA_b"'],
    ['meta', `fbclid=fb.1.${now - dayMs}.IwAR3abc`, `"fbc":"fb.1.${now - dayMs}.IwAR3abc"`],
    ['meta', `fbclid=fb.2.${now - dayMs}.IwAR3abc.AQYBAgAB`, `"fbc":"fb.1.${now - dayMs}.IwAR3abc"`],
    ['meta', `fbclid=fb.1.${now - dayMs}.fb.1.${now - 2 * dayMs}.IwAR3`, `"fbc":"fb.1.${now - 2 * dayMs}.IwAR3"`],
    ['meta', `fbclid=fb.1.${now - 91 * dayMs}.IwAR3abc`, '"reason":"no_match_keys"'],
    ['microsoft', `msclkid=_uet${ids.microsoft}`, `"MicrosoftClickId":"${ids.microsoft}"`],
  ])('%s gets the id in a whole cookie, with its time: %s', (platform, query, expected) => {
    expect(told(platform, query)).toContain(expected);
  });
});
