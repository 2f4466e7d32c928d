import { randomInt } from 'node:crypto';
import { readLandingFacts } from '@leadback/core/leads/landing-instances';
import { LandingImage, LandingPage } from '@leadback/db';
import { newImageName } from '@leadback/domain';
import { pagePreviewCode, pagePreviewKeys } from '@leadback/domain/keys';
import { eventually, givenAccount, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

// letters with about their real frequencies
const letters = '    aaaabcdddeeeefghiiijlllmmnnnoooopqrrrsssttuuvyzáéíóúñ.,';
const previewOf = ({ id }: { id: number }) => `/preview/${pagePreviewCode(pagePreviewKeys(secretsKeys), id)}`;

describe('a landing page', async () => {
  const landing = await shared(givenLanding());

  it('shows a landing page in its language with the text of the operator, and records nothing', async () => {
    const page = await landing.givenPage({
      title: 'Big <offer>',
      text: 'One *line*\n\n- first\n- **second**\n\n<b>bold</b> [x](javascript:alert(1))',
      language: 'es',
      accentColor: '#ffd400',
    });
    const { status, html } = await landing.visit(`/${page.slug}?gclid=G1`);
    expect(status).toBe(200);
    expect(html).toContain('<html lang="es">');
    expect(html).toContain('<h1>Big &lt;offer&gt;</h1>');
    expect(html).toContain('<p>One <em>line</em></p>');
    expect(html).toMatch(/<ul>\s*<li>first<\/li>\s*<li><strong>second<\/strong><\/li>\s*<\/ul>/);
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt; [x](javascript:alert(1))');
    expect(html).toContain('<button>Continuar</button>');
    expect(html).toContain('--accent:#ffd400;--on-accent:#000000');
    expect(await landing.leadsOf(page)).toBe(0);
  });

  it.each([
    ['Spanish', () => letters.charAt(randomInt(letters.length))],
    ['random Chinese', () => String.fromCodePoint(0x4e00 + randomInt(0x5000))],
  ])(
    'keeps the largest landing page below 14 KB, without further requests for scripts or styles: %s',
    async (_, letter) => {
      const text = (length: number) => Array.from({ length }, letter).join('');
      const page = await landing.givenPage({
        title: text(200),
        text: text(3_000),
        buttonLabel: text(200),
        askedFields: ['name', 'email', 'phone'],
        consentText: text(1_000),
        privacyUrl: `https://shop.example/${'privacy'.repeat(20)}`,
        logo: { src: 'https://cdn.example/logo.png', alt: text(200) },
        hero: { src: 'https://cdn.example/hero.jpg', alt: text(200) },
      });
      const { headers } = await landing.visit(`/${page.slug}`, { headers: { 'accept-encoding': 'gzip, br' } });
      expect(headers['content-encoding']).toBe('gzip');
      expect(Number(headers['content-length'])).toBeLessThan(14 * 1024);
      const { html } = await landing.visit(`/${page.slug}`);
      expect(html).not.toMatch(/<script|<link rel="stylesheet|@import|url\(/);
    },
  );

  it('forbids scripts, framing and caching of a landing page', async () => {
    const page = await landing.givenPage({
      hero: { src: 'https://cdn.example/hero.jpg', alt: '' },
    });
    const { headers } = await landing.visit(`/${page.slug}`);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none';style-src 'sha256-[^']+';img-src data: https:\/\/cdn\.example;base-uri 'none';frame-ancestors 'none'$/,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('sends the security headers with pages, redirects, error pages and declined prefetches', async () => {
    const page = await landing.givenPage();
    const direct = await landing.givenPage({ mode: 'direct' });
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

  it('sends HSTS if the visitor used TLS', async () => {
    const page = await landing.givenPage();
    const { headers } = await landing.visit(`/${page.slug}`, { headers: { 'x-forwarded-proto': 'https' } });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('sends crawlers an ETag and answers 304 if the landing page is unchanged', async () => {
    const page = await landing.givenPage();
    const crawler = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    const { headers, status } = await landing.visit(`/${page.slug}`, { headers: crawler });
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache']);
    const again = await landing.visit(`/${page.slug}`, {
      headers: { ...crawler, 'if-none-match': String(headers['etag']) },
    });
    expect([again.status, again.html]).toEqual([304, '']);
  });

  it('shows changes of a landing page, and answers 404 while it is off', async () => {
    const page = await landing.givenPage({ title: 'Before' });
    const shown = async () => landing.visit(`/${page.slug}`);
    expect((await shown()).html).toContain('<h1>Before</h1>');
    await landing.database.pool.query(`update landing_page set title = 'After' where id = $1`, [page.id]);
    await eventually(async () => expect((await shown()).html).toContain('<h1>After</h1>'));
    await landing.database.pool.query('update landing_page set is_on = false where id = $1', [page.id]);
    await eventually(async () => expect((await shown()).status).toBe(404));
    await landing.database.pool.query('update landing_page set is_on = true where id = $1', [page.id]);
    await eventually(async () => expect((await shown()).status).toBe(200));
  });

  it.each([
    ['switched off', { isOn: false }, { isOn: true }],
    ['hidden', { isHidden: true }, { isHidden: false }],
  ])('serves a page no longer once it is %s, and again once that has ended', async (_, change, back) => {
    const page = await landing.givenPage();
    const becomes = async (to: typeof change | typeof back, status: number) => {
      await landing.database.em().nativeUpdate(LandingPage, { id: page.id }, to);
      await eventually(async () => expect((await landing.visit(`/${page.slug}`)).status).toBe(status));
    };
    expect((await landing.visit(`/${page.slug}`)).status).toBe(200);
    await becomes(change, 404);
    await becomes(back, 200);
  });

  it.each([
    ['en', 'Page not found'],
    ['es-AR,es;q=0.9', 'Página no encontrada'],
    ['pt-BR', 'Página não encontrada'],
    ['de', 'Page not found'],
  ])('shows a 404 page in the language of the browser: %s', async (language, title) => {
    const off = await landing.givenPage({ isOn: false });
    const hidden = await landing.givenPage({ isHidden: true });
    for (const path of [
      `/${off.slug}`,
      `/${hidden.slug}`,
      previewOf(hidden),
      '/nothing',
      '/NOTHING',
      '/%zz',
      '/',
      '/a/b',
      '/media/x.png',
      '/preview/1-x',
    ]) {
      const { status, html } = await landing.visit(path, { headers: { 'accept-language': language } });
      expect([path, status]).toEqual([path, 404]);
      expect(html).toContain(`<h1>${title}</h1>`);
    }
  });

  it('serves uploaded images as immutable', async () => {
    const em = landing.database.em();
    const name = newImageName('png');
    em.create(LandingImage, {
      account: await givenAccount(em),
      name,
      mediaType: 'image/png',
      bytes: Buffer.from('\u0089PNG', 'latin1'),
    });
    await em.flush();
    const { status, headers } = await landing.visit(`/media/${name}`);
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const again = await landing.visit(`/media/${name}`, { headers: { 'if-none-match': String(headers['etag']) } });
    expect(again.status).toBe(304);
  });

  describe('as a preview', () => {
    it('shows a preview of a landing page that is off, and records nothing', async () => {
      const page = await landing.givenPage({ isOn: false, title: 'Soon', askedFields: ['name'] });
      const shown = await landing.visit(`${previewOf(page)}?gclid=G`);
      expect(shown.html).toContain('<h1>Soon</h1>');
      expect(shown.html).toContain('Preview: nothing is recorded');
      expect((await landing.visit(previewOf(page), { form: { name: '' } })).status).toBe(422);
      const gone = await landing.visit(previewOf(page), { form: { name: 'Ana' } });
      expect([gone.status, gone.location]).toEqual([303, 'https://shop.example/offer']);
      expect(gone.headers['set-cookie']).toBeUndefined();
      expect(await landing.leadsOf(page)).toBe(0);
    });

    it('answers 404 to invalid preview codes', async () => {
      const page = await landing.givenPage({ isOn: false });
      const own = previewOf(page);
      for (const path of [
        own.slice(0, -1),
        own.replace(/[^-]*$/, '0'.repeat(22)),
        `/preview/${pagePreviewCode(pagePreviewKeys(secretsKeys), page.id, Date.now() - 24 * 60 * 60 * 1000)}`,
        `${own}0`,
        `/preview/${page.id}`,
      ]) {
        expect((await landing.visit(path)).status).toBe(404);
      }
    });
  });
});

describe('a landing app behind a proxy', () => {
  it.each([
    ['trusts none', 0, 1],
    ['trusts it', 1, 0],
  ])(
    'reports an ignored proxy, and that it ends TLS, in the database if a landing app behind a proxy %s',
    async (_, trustProxyHops, ignoringProxy) => {
      await using landing = await givenLanding({ trustProxyHops });
      const facts = () => readLandingFacts(landing.database.em());
      expect(await facts()).toMatchObject({ known: 1, ignoringProxy: 0, missingTls: 0 });
      await landing.visit('/nothing', { headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' } });
      await landing.heardOfNews();
      await eventually(async () =>
        expect(await facts()).toMatchObject({ known: 1, ignoringProxy, missingTls: ignoringProxy }),
      );
    },
  );
});
