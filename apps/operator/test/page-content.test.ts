import { changePage } from '@leadback/core/pages/pages';
import { type EntityManager, LandingImage, type LandingPage, transaction } from '@leadback/db';
import { givenDatabase, givenLandingPage, hostileStrings, png, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { describeError } from '../src/describe-error.ts';
import { pageContentSchema, takeContent } from '../src/commands/page.ts';
import { givenFile } from './given-file.ts';

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
