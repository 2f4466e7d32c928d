import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, LandingImage, LandingPage } from '@leadback/db';
import { pageOfPreviewCode, pagePreviewKey } from '@leadback/domain';
import { givenAccount, givenLandingPage, secretsKey, unique } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { givenOperator, type TestOperator } from './given-operator.ts';

// one transparent pixel
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe("an account's landing pages", () => {
  let operator: TestOperator;
  let folder: string;
  let account: Account;
  beforeAll(async () => {
    operator = await givenOperator();
    account = await givenAccount(operator.database.em());
    folder = await mkdtemp(join(inject('temporaryFolder'), 'images-'));
  });
  afterAll(() => operator[Symbol.asyncDispose]());

  const givenFile = async (name: string, bytes: Buffer): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };
  const create = async (options: string) => {
    const slug = unique('page');
    const page = await operator.json(`page create --account ${account.id} --slug ${slug} ${options}`);
    return Number(Object(page).id);
  };
  const givenPage = (content: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(operator.database.em(), content);
  const stored = (id: number) => operator.database.em().findOneOrFail(LandingPage, { id });

  it('have everything that may be said of a page', async () => {
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

  it('change in what is typed, and in nothing else', async () => {
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

  it('are listed, switched off and on again', async () => {
    const { id, slug, account: owner } = await givenPage({ mode: 'direct' });
    const list = async () => operator.json(`page list --account ${owner.id}`);
    expect(await list()).toMatchObject([{ id, slug, url: `https://go.example/${slug}`, mode: 'direct', isOn: true }]);
    expect(await operator.json(`page off ${id}`)).toEqual({ id, slug, isOn: false });
    expect(await list()).toMatchObject([{ isOn: false }]);
    expect(await operator.json(`page on ${id}`)).toEqual({ id, slug, isOn: true });
  });

  it('are previewed at an address that only we can make', async () => {
    const { id, slug } = await givenPage();
    const preview = await operator.json(`page preview ${id}`);
    expect(preview).toEqual({ id, slug, url: expect.stringMatching(/^https:\/\/go\.example\/preview\//) });
    const code = new URL(String(Object(preview).url)).pathname.split('/').at(-1) ?? '';
    expect(pageOfPreviewCode(pagePreviewKey(secretsKey), code)).toBe(id);
  });

  it.each([
    ['--accent red', '--accent: expected a colour such as #1f4fd8'],
    ['--language de', '--language: '],
    ['--privacy javascript:alert(1)', '--privacy: must start with https://'],
    ['--consent-for nothing', '--consent-for: '],
    ['--ask age', '--ask: '],
    ['--logo javascript:alert(1)', 'javascript:alert(1): must start with https://'],
    ['--hero data:image/png;base64,AAAA', 'must start with https://'],
    ['--logo /nowhere.png', '/nowhere.png: no such file; expected one to upload, or an https address'],
    ['--target http://x.example/', '--target: must start with https://'],
  ])('are not made with %s', async (option, message) => {
    const slug = unique('page');
    const target = option.startsWith('--target') ? '' : ' --target https://x.example/';
    const { status, err } = await operator.type(
      `page create --account ${account.id} --slug ${slug}${target} ${option}`,
    );
    expect(err).toContain(message);
    expect(status).toBe(1);
    expect(await operator.database.em().count(LandingPage, { slug })).toBe(0);
  });

  it.each([
    [
      'a picture that could run scripts',
      'logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    ],
    ['what is no picture', 'logo.png', '#!/bin/sh'],
    ['what is too large for a phone', 'large.png', Buffer.concat([png, Buffer.alloc(512 * 1024)])],
  ])('take no file with %s', async (_, name, content) => {
    const { id } = await givenPage();
    const file = await givenFile(`${unique('x')}-${name}`, Buffer.from(content));
    const { status, err } = await operator.type(`page change ${id} --logo ${file}`);
    expect(err).toMatch(/expected an image|larger than 512 KiB/);
    expect(status).toBe(1);
    expect((await stored(id)).logo).toBeNull();
  });

  it.each(['change', 'off', 'on', 'preview'])('are said to be unknown by page %s', async (verb) => {
    const { status, err } = await operator.type(`page ${verb} 999999`);
    expect([status, err]).toEqual([1, 'there is no page 999999\n']);
  });
});
