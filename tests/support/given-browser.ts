import { join } from 'node:path';
import { findChromium } from '@leadback/local-stack';
import { source as axe } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';

const screenshots = join(import.meta.dirname, '..', '..', 'screenshots');

/** A Chromium without requests of its own. */
export const givenBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });

/** Saves a screenshot in a folder that is not committed. */
export const leaveScreenshot = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
};

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** Accessibility violations that axe finds. The context of the page must bypass the CSP, which blocks axe. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const violations = findings.parse(await page.evaluate('axe.run().then(({ violations }) => violations)'));
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
