import { givenLandingPage } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

it('sends the security headers with pages, redirects, error pages and declined prefetches', async () => {
  await using landing = await givenLanding();
  const page = await givenLandingPage(landing.database.em());
  const direct = await givenLandingPage(landing.database.em(), { mode: 'direct' });
  const replies = [
    await landing.visit(`/${page.slug}`),
    await landing.visit(`/${direct.slug}`),
    await landing.visit('/nothing'),
    await landing.visit(`/${direct.slug}`, { headers: { 'sec-purpose': 'prefetch' } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 302, 404, 503]);
  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'strict-origin',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-frame-options': 'DENY',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    });
  }
});
