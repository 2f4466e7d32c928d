import { crc32, deflateSync } from 'node:zlib';
import { LandingImage, type LandingPage, Lead } from '@leadback/db';
import { newImageName } from '@leadback/domain';
import { findLead, givenLandingPage, givenServer } from '@leadback/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { givenBrowser } from './given-browser.ts';
import { givenStack } from './given-stack.ts';

type Color = readonly [red: number, green: number, blue: number];

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const checked = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), checked, uint32(crc32(checked))]);
};

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const [bitsPerSample, rgb] = [8, 2];

/**
 * A picture that changes from one color to the other, from left to right. Made without a browser, which on a busy
 * machine may be unable to take a screenshot.
 */
const givenPng = (width: number, height: number, from: Color, to: Color): Buffer => {
  const mix = (column: number): number[] =>
    from.map((part, index) => Math.round(part + ((to[index] ?? part) - part) * (column / width)));
  const unfiltered = 0;
  const row = Buffer.from([unfiltered, ...Array.from({ length: width }, (_, column) => mix(column)).flat()]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([bitsPerSample, rgb, 0, 0, 0])]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

export type PageContent = NonNullable<Parameters<typeof givenLandingPage>[1]>;

/** A page with every field. */
export const offer: PageContent = {
  title: 'Dos meses por el precio de uno',
  text: 'Zapatos hechos **a mano**, de cuero argentino.\n\n- envío *gratis* a todo el país\n- cambios durante 60 días\n- hasta 6 cuotas sin interés',
  buttonLabel: 'Quiero la oferta',
  language: 'es',
  accentColor: '#c2410c',
  askedFields: ['name', 'email', 'phone'],
  consentText: 'Acepto que mis datos se compartan con las plataformas donde vi el anuncio.',
  privacyUrl: 'https://shop.example/privacidad',
};

/** The landing app, a shop as the target of its pages, and a browser. */
export const givenVisitors = async () => {
  const ours = new AsyncDisposableStack();
  const stack = ours.use(await givenStack());
  const [shop, browser] = await Promise.all([
    givenServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>The shop</h1>');
    }),
    givenBrowser(),
    stack.start('landing'),
  ]);
  ours.use(shop);
  ours.defer(() => browser.close());

  const open = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext(options);
    return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
  };
  const givenPage = (content: PageContent = {}) =>
    givenLandingPage(stack.database.em(), { targetUrl: `${shop.url}/offer`, ...content });

  /** An uploaded image. */
  const givenImage = async (owner: LandingPage, width: number, height: number) => {
    const em = stack.database.em();
    const name = newImageName('png');
    const bytes = givenPng(width, height, [194, 65, 12], [251, 146, 60]);
    em.create(LandingImage, { account: owner.account, name, mediaType: 'image/png', bytes });
    await em.flush();
    return { src: `/media/${name}`, alt: 'Zapatos', width, height };
  };

  return {
    stack,
    shopUrl: shop.url,
    /** Opens a window without cookies. */
    open,
    givenPage,
    givenIllustratedPage: async (content: PageContent) => {
      const page = await givenPage();
      const hero = await givenImage(page, 1200, 900);
      const logo = await givenImage(page, 240, 64);
      return givenPage({ ...content, hero, logo });
    },
    urlOf: ({ slug }: LandingPage, query = 'gclid=G1') => `${stack.landingUrl}/${slug}?${query}`,
    leadsOf: async ({ id }: LandingPage) => {
      const em = stack.database.em();
      const leads = await em.find(Lead, { landingPage: id }, { orderBy: { id: 'asc' } });
      return Promise.all(leads.map(({ reference }) => findLead(em.fork(), reference)));
    },
    [Symbol.asyncDispose]: () => ours.disposeAsync(),
  };
};

/** Waits until the visitor is at the shop; returns the lead reference that the shop received. */
export const arriveAtShop = async (page: Page): Promise<string> => {
  await page.getByRole('heading', { name: 'The shop' }).waitFor();
  return new URL(page.url()).searchParams.get('serviceId') ?? '';
};
