// `node scripts/run.mjs pictures` takes the pictures of the documents from a running `npm start`, and notes
// their version: tests/docs fails until each release has new ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '@leadback/testing/stack';
import { Secret, TOTP } from 'otpauth';
import { chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { readWords, refuse } from './read-options.ts';
import { readRunning, root } from './start/data-folder.ts';

const usage = `node scripts/run.mjs pictures                 takes the pictures of docs/pictures, beside a running npm start
node scripts/run.mjs pictures --account 2     those of another account than the invented shop`;

const { values: options } = readWords({ options: { account: { type: 'string' } } }, usage);
const running = readRunning() ?? refuse('Nothing runs. Start it in another terminal: npm start');
const account = z.coerce.number().int().default(running.demo.invented.accountId).parse(options.account);

const take = async (page: Page, name: string, url: string, isReady: (page: Page) => Promise<unknown>) => {
  await page.goto(url);
  await isReady(page);
  await page.evaluate('document.fonts.ready');
  const path = join(root, 'docs', 'pictures', `${name}.png`);
  await page.screenshot({ path });
  process.stdout.write(`${path}\n`);
};

/** Signs in as the person of the demonstration. A code is good for one sign-in: wait for the next if it was used. */
const signIn = async (page: Page): Promise<void> => {
  const { email, password, secondFactor } = running.demo.console;
  await page.goto(`${running.console}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secondFactor) }).generate());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/a\/\d+\//);
};

const salesSchema = z.object({ items: z.tuple([z.object({ id: z.number() })]) });
/** A sale of the demonstration. */
const saleId = async (): Promise<number> => {
  const headers = { 'x-api-key': running.demo.apiKey };
  const response = await fetch(`${running.api}/client/conversions?limit=1`, { headers });
  return salesSchema.parse(await response.json()).items[0].id;
};

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 860 },
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  await take(page, 'landing', `${running.demo.landingPage}?gclid=try-me`, (one) => one.locator('main').waitFor());
  await signIn(page);
  await take(page, 'console', `${running.console}/a/${account}/overview`, (one) =>
    one.getByLabel(/ by day$/).waitFor(),
  );
  const sale = `${running.console}/a/${running.demo.accountId}/find?conversion=${await saleId()}`;
  await take(page, 'sale', sale, (one) => one.getByText('Google Ads').first().waitFor());
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const taken = { version, day: new Date().toISOString().slice(0, 10) };
  writeFileSync(join(root, 'docs', 'pictures', 'taken.json'), `${JSON.stringify(taken, null, 2)}\n`);
} finally {
  await browser.close();
}
