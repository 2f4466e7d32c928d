import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInterpreter } from '@leadback/testing/stack';
import { shared } from '@leadback/testing';
import type { LandingPage } from '@leadback/db';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'vite';
import { expect, inject, it } from 'vitest';
import { root } from '../support/code-blocks.ts';
import { fieldsOn, form, givenSites } from '../support/given-sites.ts';

const reference: unknown = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
const sites = await shared(givenSites());
const folder = join(root, 'apps/api/src/documentation/samples');

/** A sample with the names of a page instead of those of the guide. */
const sampleFor = (
  file: string,
  { slug }: Pick<LandingPage, 'slug'>,
  text = readFileSync(join(folder, file), 'utf8'),
) => {
  expect(text).toContain('https://go.example.com/leadback.js');
  return text.replaceAll('https://go.example.com', sites.stack.landingUrl).replaceAll(/\bmates\b/g, slug);
};

const click = '/?gclid=G-1';

it('the sample of plain HTML fills its form', async () => {
  const site = await sites.givenSite({ html: ({ slug }) => sampleFor('clicks.html', { slug }) });
  await using window = await sites.open();
  await window.page.goto(site.url(click));
  await expect.poll(() => fieldsOn(window.page)).toEqual([reference, '']);
  expect(await site.leads()).toHaveLength(1);
});

/** As the tag manager inserts a tag: it makes the script again, from its text alone. */
const managed = (html: string) =>
  `<script>{ const made = document.createElement('script'); made.text = ${JSON.stringify(
    /<script>([^]*)<\/script>/.exec(html)?.[1],
  )}; document.head.append(made); }</script>`;

it('the sample for Google Tag Manager loads the script with the name of the page', async () => {
  const site = await sites.givenSite({
    html: ({ slug }) => form + managed(sampleFor('clicks-tag-manager.html', { slug })),
  });
  await using window = await sites.open();
  await window.page.goto(site.url(click));
  await expect.poll(() => fieldsOn(window.page)).toEqual([reference]);
});

it('the sample for Tiendanube sends the reference with the form of the cart, once', async () => {
  const cart = '<form action="/comprar/" onsubmit="return false"><button>Comprar</button></form>';
  const site = await sites.givenSite({ html: ({ slug }) => sampleFor('clicks-tiendanube.html', { slug }) + cart });
  await using window = await sites.open();
  const { page } = window;
  await page.goto(site.url(click));
  await page.evaluate('leadback.reference()');
  for (let count = 0; count < 2; count += 1) await page.getByRole('button').click();
  const sent = await page.evaluate('Array.from(new FormData(document.forms[0]))');
  expect(sent).toEqual([['extra[leadback]', reference]]);
});

it('the sample for Shopify keeps the reference with the cart', async () => {
  const site = await sites.givenSite({ html: ({ slug }) => sampleFor('clicks-shopify.liquid', { slug }) });
  await using window = await sites.open();
  const told = window.page.waitForRequest('**/cart/update.js');
  await window.page.goto(site.url(click));
  expect((await told).postDataJSON()).toEqual({ attributes: { leadback: reference } });
});

// what WordPress calls, and an order
const wordPress = (sample: string) => `
  $hooks = [];
  function add_action($name, $run) { global $hooks; $hooks[$name] = $run; }
  function wp_unslash($text) { return stripslashes($text); }
  function sanitize_text_field($text) { return strip_tags($text); }
  class Order { public $meta = []; function update_meta_data($key, $value) { $this->meta[$key] = $value; } }
  require ${JSON.stringify(join(folder, sample))};
  ob_start(); $hooks['wp_head'](); $head = ob_get_clean();
  if ($argv[1] !== '') $_COOKIE['leadback'] = $argv[1];
  $orders = array_map(function ($hook) use ($hooks) { $order = new Order(); $hooks[$hook]($order); return $order->meta; },
    ['woocommerce_checkout_create_order', 'woocommerce_store_api_checkout_update_order_meta']);
  echo json_encode(['head' => $head, 'orders' => $orders]);`;

const runWordPress = async (cookie: string): Promise<{ readonly head: string; readonly orders: unknown }> => {
  const program = await findInterpreter('php');
  const { stdout } = await promisify(execFile)(program, ['-r', wordPress('clicks-woocommerce.php'), '--', cookie]);
  const { head, orders } = Object(JSON.parse(stdout));
  return { head: String(head), orders };
};

it('the sample for WooCommerce shows the script, and keeps the reference with the order of each checkout', async () => {
  const { head } = await runWordPress('');
  const site = await sites.givenSite({ html: ({ slug }) => sampleFor('', { slug }, head) + form });
  await using window = await sites.open();
  const { context, page } = window;
  await page.goto(site.url(click));
  await expect.poll(() => fieldsOn(page)).toEqual([reference]);
  const [cookie] = await context.cookies();
  const kept = { leadback: expect.stringMatching(/^[0-9A-Za-z]{22}\.\d+\./) };
  expect((await runWordPress(cookie?.value ?? '')).orders).toEqual([kept, kept]);
  expect((await runWordPress('')).orders).toEqual([[], []]);
});

/** The sample in a page, with React. */
const reactPage = async (): Promise<string> => {
  const entry = join(await mkdtemp(join(inject('temporaryFolder'), 'react-')), 'page.js');
  await writeFile(
    entry,
    `import { createElement } from 'react';
     import { createRoot } from 'react-dom/client';
     import { SignUp } from ${JSON.stringify(join(folder, 'clicks-react.jsx'))};
     createRoot(document.querySelector('main')).render(createElement(SignUp));`,
  );
  const libraries = join(root, 'apps/console/node_modules');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: { alias: ['react-dom', 'react'].map((find) => ({ find, replacement: join(libraries, find) })) },
    build: { write: false, minify: false, lib: { entry, name: 'page', formats: ['iife'] } },
  });
  const [file] = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  if (file?.type !== 'chunk') throw new Error('the build made no script');
  return file.code;
};

it.each(['before', 'after'])('the sample for React fills its form if the script comes %s React', async (when) => {
  const content = await reactPage();
  const site = await sites.givenSite({
    html: ({ plainSnippet }) => (when === 'before' ? plainSnippet : '') + '<main></main>',
  });
  await using window = await sites.open();
  const { page } = window;
  await page.goto(site.url(click));
  await page.addScriptTag({ content });
  if (when === 'after') await page.addScriptTag({ url: `${sites.stack.landingUrl}/${site.slug}.js` });
  await expect.poll(() => fieldsOn(page)).toEqual([reference]);
  await page.getByRole('button').click();
  await page.waitForURL(/\/thanks\?leadReference=[0-9A-Za-z]{22}$/);
});
