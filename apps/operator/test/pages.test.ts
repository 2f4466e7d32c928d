import { createHash } from 'node:crypto';
import { changePage } from '@leadback/core/pages/pages';
import { scripts } from '@leadback/core/pages/script';
import { type EntityManager, LandingImage, LandingPage, transaction } from '@leadback/db';
import { pageOfPreviewCode, pagePreviewKeys } from '@leadback/domain/keys';
import {
  givenAccount,
  givenDatabase,
  givenLandingPage,
  hostileStrings,
  png,
  secretsKeys,
  shared,
  unique,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { pageContentSchema, takeContent } from '../src/commands/page.ts';
import { describeError } from '../src/describe-error.ts';
import { givenFile, givenOperator } from './given-operator.ts';

describe('landing page commands', async () => {
  const operator = await shared(givenOperator());
  const account = await givenAccount(operator.database.em());

  const create = async (options: string) => {
    const slug = unique('page');
    const page = await operator.json(`page create --account ${account.id} --slug ${slug} ${options}`);
    return Number(Object(page).id);
  };
  const givenPage = (content: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(operator.database.em(), content);
  const stored = (id: number) => operator.database.em().findOneOrFail(LandingPage, { id });

  it('creates a page with all options', async () => {
    const logo = await givenFile('logo.png', png);
    const id = await create(
      `--target https://x.example/ --title Oferta --text *Hola* --button Ir --language es --accent #FFD400 --logo ${logo} --logo-alt Zapatos` +
        ' --hero https://cdn.example/hero.jpg --ask name,phone --consent Acepto --consent-for personalisation' +
        ' --privacy https://x.example/privacy',
    );
    const page = await stored(id);
    expect(page).toMatchObject({
      title: 'Oferta',
      text: '*Hola*',
      buttonLabel: 'Ir',
      language: 'es',
      accentColor: '#ffd400',
      logo: { src: expect.stringMatching(/^\/media\/[\w-]{22}\.png$/), alt: 'Zapatos', width: 1, height: 1 },
      hero: { src: 'https://cdn.example/hero.jpg', alt: '' },
      askedFields: ['name', 'phone'],
      consentText: 'Acepto',
      consentScope: 'personalisation',
      privacyUrl: 'https://x.example/privacy',
    });
    const name = page.logo?.src.replace('/media/', '') ?? '';
    const image = await operator.database.em().findOneOrFail(LandingImage, { name });
    expect(image).toMatchObject({ mediaType: 'image/png', account: { id: page.account.id } });
    expect(Buffer.from(image.bytes).equals(png)).toBe(true);
  });

  const auditOf = async (id: number, action: string) => {
    const { rows } = await operator.database.pool.query(
      'select details from audit_entry where action = $2 and target = $1',
      [`page ${id}`, action],
    );
    return rows;
  };

  it('gives a page another slug, keeps the former one for it until it is given up, and says who did', async () => {
    const brand = unique('brand');
    const page = await givenPage({ slug: brand });
    const renamed = await operator.json(`page rename ${page.id} --slug ${brand}-2`);
    expect(renamed).toEqual({ id: page.id, slug: `${brand}-2`, url: expect.stringContaining(`/${brand}-2`) });
    const takeIt = `page create --account ${account.id} --slug ${brand} --target https://x.example/`;
    expect((await operator.type(takeIt)).err).toContain(`slug: ${brand} is taken; choose another`);
    // a former slug names its page
    expect(await operator.json(`page rename ${brand} --slug ${brand}`)).toMatchObject({ id: page.id, slug: brand });
    await operator.json(`page rename ${page.id} --slug ${brand}-3`);
    expect(await operator.json(`page release ${brand}`)).toEqual({ id: page.id, released: [brand, `${brand}-2`] });
    expect(await operator.json(`page release ${page.id}`)).toEqual({ id: page.id, released: [] });
    expect(await operator.json(takeIt)).toMatchObject({ slug: brand });
    expect((await operator.type(`page rename ${page.id} --slug ${brand}`)).err).toContain(`slug: ${brand} is taken`);
    expect(await auditOf(page.id, 'page.rename')).toHaveLength(3);
    expect(await auditOf(page.id, 'page.rename')).toContainEqual({
      details: { slug: { before: brand, after: `${brand}-2` } },
    });
    expect(await auditOf(page.id, 'page.release')).toEqual([{ details: { slugs: [brand, `${brand}-2`] } }]);
  });

  it('deletes a page, which no list and no command knows any more, and keeps its slug for its account', async () => {
    const { id, slug, account: owner } = await givenPage();
    const other = await givenPage({ account: owner.getEntity() });
    expect(await operator.json(`page delete ${slug}`)).toEqual({ id, slug, state: 'deleted' });
    expect(await operator.json(`page list --account ${owner.id}`)).toMatchObject([{ id: other.id }]);
    for (const verb of ['delete', 'on', 'off', 'preview', 'change', 'rename --slug other-name']) {
      const [name = '', ...options] = verb.split(' ');
      const { status, err } = await operator.type(['page', name, id, ...options].join(' '));
      expect([verb, status, err]).toEqual([verb, 1, `there is no page ${id}\n`]);
    }
    const taken = await operator.type(`page create --account ${account.id} --slug ${slug} --target https://x.example/`);
    expect(taken.err).toContain(`slug: ${slug} is taken; choose another`);
    const again = await operator.json(`page create --account ${owner.id} --slug ${slug} --target https://x.example/`);
    expect(again).toMatchObject({ slug });
    expect(await auditOf(id, 'page.delete')).toEqual([{ details: { slug } }]);
  });

  it.each(['preview', 'media', 'health', 'healthz', 'ready', 'metrics', 'data', 'api'])(
    'creates no page at a path of Leadback or its load balancer: %s',
    async (slug) => {
      const { err } = await operator.type(
        `page create --account ${account.id} --slug ${slug} --target https://x.example/`,
      );
      expect(err).toContain('--slug: reserved');
    },
  );

  it.each(['https://10.0.0.1/', 'http://localhost:5432/', 'https://169.254.169.254/'])(
    'redirects visitors neither from a new page nor after a change to %s',
    async (target) => {
      const refused = 'target: must be a public host';
      const { id } = await givenPage();
      const created = await operator.type(
        `page create --account ${account.id} --slug ${unique('page')} --target ${target}`,
      );
      expect(created.err).toContain(refused);
      expect((await operator.type(`page change ${id} --target ${target}`)).err).toContain(refused);
    },
  );

  it('changes only the given options of a page', async () => {
    const { id, slug } = await givenPage({
      title: 'Oferta',
      buttonLabel: 'Ir',
      askedFields: ['name'],
      language: 'pt',
    });
    expect(await operator.json(`page change ${id} --title Nueva --button  --ask email`)).toEqual({
      id,
      slug,
      url: `https://go.example/${slug}`,
    });
    expect(await stored(id)).toMatchObject({
      title: 'Nueva',
      buttonLabel: null,
      askedFields: ['email'],
      language: 'pt',
      targetUrl: 'https://shop.example/offer',
    });
  });

  it('lists pages, and hides and shows a page', async () => {
    const { id, slug, account: owner } = await givenPage({ mode: 'direct' });
    const list = async () => operator.json(`page list --account ${owner.id}`);
    expect(await list()).toMatchObject([{ id, slug, url: `https://go.example/${slug}`, mode: 'direct', isOn: true }]);
    expect(await operator.json(`page off ${id}`)).toEqual({ id, slug, isOn: false });
    expect(await list()).toMatchObject([{ isOn: false }]);
    expect(await operator.json(`page on ${id}`)).toEqual({ id, slug, isOn: true });
  });

  it('creates a page whose leads a script reports, and prints what the sites put into their pages', async () => {
    const slug = unique('mates');
    const origins = 'https://Shop.example/,https://www.shop.example:8443,https://shop.example';
    const created = await operator.json(
      `page create --account ${account.id} --slug ${slug} --mode script --origins ${origins}`,
    );
    const id = Number(Object(created).id);
    const snippet = `<script defer src="https://go.example/leadback.js" data-page="${slug}"></script>`;
    expect(created).toEqual({ id, slug, snippet });
    const [{ version, text }] = scripts;
    const integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`;
    expect(await operator.json(`page show ${id}`)).toMatchObject({
      id,
      accountId: account.id,
      mode: 'script',
      isOn: true,
      targetUrl: 'https://shop.example/',
      origins: ['https://shop.example', 'https://www.shop.example:8443'],
      waitsForConsent: false,
      snippet,
      pinnedSnippet: `<script defer src="https://go.example/leadback-${version}.js" integrity="${integrity}" crossorigin="anonymous" data-page="${slug}"></script>`,
      plainSnippet: `<script defer src="https://go.example/${slug}.js"></script>`,
    });
    const changed = await operator.json(`page change ${id} --origins https://tienda.example --wait-for-consent yes`);
    expect(changed).toEqual({ id, slug, snippet: snippet.replace('>', ' data-consent="wait">') });
    expect(await stored(id)).toMatchObject({
      targetUrl: 'https://tienda.example/',
      origins: ['https://tienda.example'],
      earlierHost: 'shop.example',
    });
    const { rows } = await operator.database.pool.query(
      `select details from audit_entry where action = 'page.change' and target = $1`,
      [`page ${id}`],
    );
    expect(rows).toEqual([
      {
        details: {
          origins: {
            before: ['https://shop.example', 'https://www.shop.example:8443'],
            after: ['https://tienda.example'],
          },
          targetUrl: { before: 'https://shop.example/', after: 'https://tienda.example/' },
          waitsForConsent: { before: false, after: true },
        },
      },
    ]);
  });

  it.each([
    ['', '--origins is missing: expected sites such as https://shop.example'],
    ['--origins https://shop.example/shoes', '--origins: expected an origin without a path'],
    ['--origins http://shop.example', '--origins: must start with https://'],
    ['--origins *', '--origins: expected an absolute URL'],
    ['--origins https://*.shop.example', '--origins: the host name has invalid characters'],
    ['--origins https://ana@shop.example', '--origins: must not contain a user name'],
    ['--origins null', '--origins: expected an absolute URL'],
    ['--origins http://127.0.0.1:4000', 'origins: must be a public host'],
    ['--origins https://shop.example --target https://other.example/', 'target: expected a page of one of its origins'],
    ['--origins https://shop.example --title Oferta', 'title: a page with the mode script shows nothing'],
    ['--origins https://shop.example --ask email', 'askedFields: a page with the mode script shows nothing'],
    ['--origins https://shop.example --consent Acepto', 'consentText: a page with the mode script shows nothing'],
  ])('creates no page with the mode script and %s, and says what to fix', async (options, message) => {
    const slug = unique('page');
    const { status, err } = await operator.type(
      `page create --account ${account.id} --slug ${slug} --mode script ${options}`.trim(),
    );
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await operator.database.em().count(LandingPage, { slug })).toBe(0);
  });

  it.each(['--origins https://shop.example', '--wait-for-consent yes'])(
    'gives a page that shows something no %s',
    async (options) => {
      const { id } = await givenPage();
      expect((await operator.type(`page change ${id} ${options}`)).err).toContain('are of pages with the mode script');
    },
  );

  it('makes a page of direct redirects one with the script, whose old links lead on to the site', async () => {
    const { id } = await givenPage({ mode: 'direct' });
    await operator.json(`page change ${id} --mode script --origins https://shop.example`);
    expect(await stored(id)).toMatchObject({ mode: 'script', targetUrl: 'https://shop.example/offer' });
  });

  it('prints a preview URL with a code that encodes the page', async () => {
    const { id, slug } = await givenPage();
    const preview = await operator.json(`page preview ${id}`);
    expect(preview).toEqual({ id, slug, url: expect.stringMatching(/^https:\/\/go\.example\/preview\//) });
    const code = new URL(String(Object(preview).url)).pathname.split('/').at(-1) ?? '';
    expect(pageOfPreviewCode(pagePreviewKeys(secretsKeys), code)).toBe(id);
  });

  it('creates no page if an option is invalid, and names each invalid option', async () => {
    const slug = unique('page');
    const line = `page create --account ${account.id} --slug ${slug} --target https://x.example/`;
    const { status, err } = await operator.type(`${line} --accent red --consent-for nothing`);
    expect(err).toMatch(/--accent: expected a colour such as #1f4fd8\n--consent-for: /);
    expect(status).toBe(1);
    expect(await operator.database.em().count(LandingPage, { slug })).toBe(0);
  });

  it('reports that the page to change does not exist', async () => {
    const { status, err } = await operator.type('page change 999999');
    expect([status, err]).toEqual([1, 'there is no page 999999\n']);
  });
});

const change = (em: EntityManager, { id, account, logo, hero }: LandingPage, typed: object) =>
  transaction(em, async (tx) => {
    const content = await takeContent(tx, { accountId: account.id, logo, hero }, pageContentSchema.parse(typed));
    await tx.flush();
    return changePage(tx, { actor: 'test', id, content, landingUrl: 'https://go.example' });
  });

describe('the content of a landing page', async () => {
  const database = await shared(givenDatabase());

  /** The error message; empty if there is none. */
  const errorOf = async (typed: object, em = database.em(), given?: LandingPage): Promise<string> => {
    const page = given ?? (await givenLandingPage(em));
    try {
      await change(em, page, typed);
      return '';
    } catch (error) {
      return describeError(error);
    }
  };

  it.each([
    [{ accent: 'red' }, '--accent: expected a colour such as #1f4fd8'],
    [{ language: 'de' }, '--language: '],
    [{ privacy: 'javascript:alert(1)' }, '--privacy: must start with https://'],
    [{ target: 'http://x.example/' }, '--target: must start with https://'],
    [{ consentFor: 'nothing' }, '--consent-for: '],
    [{ ask: 'name,age' }, '--ask: '],
    [{ title: 'x'.repeat(201) }, '--title: longer than 200 characters'],
    [{ text: 'x'.repeat(3_001) }, '--text: longer than 3000 characters'],
    [{ mode: 'direct', consent: 'Acepto' }, 'a direct page is never shown'],
    [{ logo: 'javascript:alert(1)' }, 'javascript:alert(1): must start with https://'],
    [{ hero: 'data:image/png;base64,AAAA' }, 'must start with https://'],
    [{ logo: '/nowhere.png' }, '/nowhere.png: no such file; expected a file to upload or an https URL'],
  ])('rejects page content and says what to fix: %j', async (typed, message) => {
    expect(await errorOf(typed)).toContain(message);
  });

  it.each([
    [
      'a file that could run scripts',
      'logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'an image',
    ],
    ['a file that is no image', 'logo.png', '#!/bin/sh', 'an image'],
    ['an empty file', 'logo.png', '', 'an image'],
    [
      'a file that is too large for a phone',
      'logo.png',
      Buffer.concat([png, Buffer.alloc(512 * 1024)]),
      'larger than 512 KiB',
    ],
  ])('rejects %s as the logo of a page', async (_, name, content, message) => {
    expect(await errorOf({ logo: await givenFile(name, content) })).toContain(message);
  });

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'stores no unsafe URL or setting of a page from %s',
    async (_, hostile) => {
      for (const option of ['target', 'privacy', 'logo', 'hero', 'accent', 'language', 'consentFor', 'mode', 'ask']) {
        const em = database.em();
        const page = await givenLandingPage(em);
        const url = /^https:\/\/[a-z0-9._-]+(:\d+)?(\/[!-~]*)?$/;
        await errorOf({ [option]: hostile }, em, page);
        expect(page.targetUrl).toMatch(url);
        expect(page.privacyUrl ?? 'https://x/').toMatch(url);
        for (const image of [page.logo, page.hero]) expect(image?.src ?? 'https://x/').toMatch(url);
        expect(page).toMatchObject({ language: 'en', consentScope: 'sharing', mode: 'page', askedFields: [] });
        expect(page.accentColor ?? null).toBeNull();
      }
    },
  );

  it('removes page content that is given empty and keeps what is not given', async () => {
    const em = database.em();
    const page = await givenLandingPage(em, {
      title: 'T',
      buttonLabel: 'B',
      accentColor: '#000000',
      askedFields: ['name'],
    });
    const logo = await givenFile('logo.png', png);
    await change(em, page, { title: ' ', logo, ask: '' });
    expect(page).toMatchObject({ title: null, buttonLabel: 'B', accentColor: '#000000', askedFields: [] });
    await change(em, page, { logoAlt: 'Zapatos' });
    expect(page.logo).toMatchObject({ src: expect.stringMatching(/^\/media\//), alt: 'Zapatos', width: 1 });
    await change(em, page, { logo: '' });
    expect(page.logo).toBeNull();
    expect(await em.count(LandingImage, { account: page.account.id })).toBe(1);
  });
});
