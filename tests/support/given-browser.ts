import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findChromium } from '@leadback/testing/stack';
import { waitMaxMs } from '@leadback/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';

const require = createRequire(import.meta.url);
// minified: every page that it looks at reads it
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const screenshots = join(import.meta.dirname, '..', '..', 'screenshots');

/** A Chromium without requests of its own. */
export const givenBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
    timeout: waitMaxMs,
  });
  browser.on('context', (context) => context.setDefaultTimeout(waitMaxMs));
  return browser;
};

/** Saves a screenshot in a folder that is not committed, if `SCREENSHOTS` is `true`: each takes up to a second of a core. */
export const leaveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env['SCREENSHOTS'] !== 'true') return;
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
};

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

interface AxeOptions {
  /** Only the rules about colors: for a page that axe has seen in other colors. */
  readonly isRecolored?: boolean;
}

const colorRules = ['color-contrast', 'link-in-text-block'];

/** Accessibility violations that axe finds. */
export const axeFindings = async (page: Page, { isRecolored = false }: AxeOptions = {}): Promise<string[]> => {
  // more than half a megabyte
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const options = isRecolored ? { runOnly: colorRules } : {};
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = findings.parse(await page.evaluate(run));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Collects console messages, errors and dialogs of a page, and requests to other origins than `origin`. */
export const troublesOf = (page: Page, origin: string): string[] => {
  const troubles: string[] = [];
  page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) troubles.push(request.url());
  });
  return troubles;
};
