import { givenLandingPage } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { clickCookie, cookieSet } from './cookies-set.ts';
import { givenLanding } from './given-landing.ts';

const dayMs = 86_400_000;

describe('the cookie with the clicks of earlier visits', () => {
  it('has the time of the click on each platform', async () => {
    await using landing = await givenLanding();
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const metaAt = Date.now() - 10 * dayMs;
    const cookie = clickCookie({ meta: metaAt, fbclid: 'F1' });
    const clicked = await landing.visit(`/${page.slug}?gclid=G1`, { headers: { cookie } });
    const [, value = ''] = /^click=([^;]+)/.exec(cookieSet(clicked, 'click')) ?? [];
    const kept = Object.fromEntries(new URLSearchParams(Buffer.from(value, 'base64url').toString()));
    const { google } = kept;
    expect(kept).toEqual({ google, gclid: 'G1', meta: String(metaAt), fbclid: 'F1' });
    expect(Number(google)).toBeGreaterThan(metaAt);
  });
});
