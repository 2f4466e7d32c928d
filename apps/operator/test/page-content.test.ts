import { LandingImage, type LandingPage } from '@leadback/db';
import { givenDatabase, givenLandingPage, hostileStrings, type TestDatabase } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeError } from '../src/describe-error.ts';
import { applyPageContent, pageContentSchema } from '../src/page-content.ts';
import { givenFile, png } from './given-file.ts';

describe('what an operator says of a page', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** What the operator is told of it. */
  const refusalOf = async (typed: object, em = database.em(), given?: LandingPage): Promise<string> => {
    const page = given ?? (await givenLandingPage(em));
    try {
      await applyPageContent(em, page, pageContentSchema.parse(typed));
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
    [{ mode: 'direct', consent: 'Acepto' }, '--consent: nobody sees a direct page'],
    [{ logo: 'javascript:alert(1)' }, 'javascript:alert(1): must start with https://'],
    [{ hero: 'data:image/png;base64,AAAA' }, 'must start with https://'],
    [{ logo: '/nowhere.png' }, '/nowhere.png: no such file; expected one to upload, or an https address'],
  ])('is refused, with what to mend: %j', async (typed, message) => {
    expect(await refusalOf(typed)).toContain(message);
  });

  it.each([
    [
      'that could run scripts',
      'logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'an image',
    ],
    ['that is no image', 'logo.png', '#!/bin/sh', 'an image'],
    ['that is empty', 'logo.png', '', 'an image'],
    ['too large for a phone', 'logo.png', Buffer.concat([png, Buffer.alloc(512 * 1024)]), 'larger than 512 KiB'],
  ])('is no file %s', async (_, name, content, message) => {
    expect(await refusalOf({ logo: await givenFile(name, content) })).toContain(message);
  });

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'leads nowhere else and says nothing else to a browser, with %s',
    async (_, hostile) => {
      for (const option of ['target', 'privacy', 'logo', 'hero', 'accent', 'language', 'consentFor', 'mode', 'ask']) {
        const em = database.em();
        const page = await givenLandingPage(em);
        const address = /^https:\/\/[a-z0-9._-]+(:\d+)?(\/[!-~]*)?$/;
        await refusalOf({ [option]: hostile }, em, page);
        expect(page.targetUrl).toMatch(address);
        expect(page.privacyUrl ?? 'https://x/').toMatch(address);
        for (const image of [page.logo, page.hero]) expect(image?.src ?? 'https://x/').toMatch(address);
        expect(page).toMatchObject({ language: 'en', consentScope: 'sharing', mode: 'page', askedFields: [] });
        expect(page.accentColor ?? null).toBeNull();
      }
    },
  );

  it('takes away what is empty, and leaves what is not said', async () => {
    const em = database.em();
    const page = await givenLandingPage(em, {
      title: 'T',
      buttonLabel: 'B',
      accentColor: '#000000',
      askedFields: ['name'],
    });
    const logo = await givenFile('logo.png', png);
    await applyPageContent(em, page, pageContentSchema.parse({ title: ' ', logo, ask: '' }));
    await em.flush();
    expect(page).toMatchObject({ title: null, buttonLabel: 'B', accentColor: '#000000', askedFields: [] });
    await applyPageContent(em, page, pageContentSchema.parse({ logoAlt: 'Zapatos' }));
    await em.flush();
    expect(page.logo).toMatchObject({ src: expect.stringMatching(/^\/media\//), alt: 'Zapatos', width: 1 });
    await applyPageContent(em, page, pageContentSchema.parse({ logo: '' }));
    await em.flush();
    expect(page.logo).toBeNull();
    expect(await em.count(LandingImage, { account: page.account.id })).toBe(1);
  });
});
