import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings, givenBrowser, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { type ConsoleDouble, givenConsoleDouble } from './console-double.ts';
import { invitationToken } from './session-double.ts';

const screens = {
  'sign-in': { path: '/sign-in', ready: 'Sign in' },
  invitation: { path: `/invitation#${invitationToken}`, ready: 'Choose a password' },
  overview: { path: '/a/1/overview', ready: 'black-friday' },
  campaigns: { path: '/a/1/overview?by=campaign&show=revenue.USD&range=90d', ready: 'All others' },
  undelivered: { path: '/a/1/undelivered', ready: 'event_too_old' },
  'all-delivered': { path: '/a/2/undelivered', ready: 'Everything was delivered' },
  deliveries: { path: '/a/1/deliveries?state=failed&platform=meta', ready: 'order-2026-192' },
  'no-deliveries': { path: '/a/1/deliveries?test=true', ready: 'No delivery matches' },
  delivery: { path: '/a/1/deliveries/192?state=failed', ready: 'Platform unavailable' },
  connections: { path: '/a/1/connections', ready: 'Google Ads rejects connection 2' },
  'no-connections': { path: '/a/2/connections', ready: 'No platform is connected' },
  connection: { path: '/a/1/connections/1', ready: 'Other names for conversions' },
  'rejected-connection': { path: '/a/1/connections/2?fix=refreshToken', ready: 'Other names for conversions' },
  'choose-platform': { path: '/a/1/connections/new', ready: 'You need the pixel code' },
  'new-connection': { path: '/a/1/connections/new?platform=meta&step=settings', ready: 'Send a test event' },
  keys: { path: '/a/1/keys', ready: 'Black Friday 2025' },
  'no-keys': { path: '/a/2/keys', ready: 'No API key yet' },
  people: { path: '/people', ready: 'fred@acme.example' },
  accounts: { path: '/accounts', ready: 'Measurement only' },
  audit: { path: '/a/1/audit?from=2026-11-01', ready: 'invented.action' },
  'audit-of-all': { path: '/audit', ready: 'invented.action' },
  imports: { path: '/a/1/imports', ready: 'clients.csv' },
  'no-imports': { path: '/a/2/imports', ready: 'No files yet' },
  import: { path: '/a/1/imports/12', ready: 'order-2026-8701' },
  'import-running': { path: '/a/1/imports/14', ready: 'Checking: 400' },
  'import-refused': { path: '/a/1/imports/13', ready: 'cannot be read' },
  reconciliations: { path: '/a/1/reconciliation', ready: 'october.csv' },
  'no-reconciliations': { path: '/a/2/reconciliation', ready: 'No lists yet' },
  reconciliation: { path: '/a/1/reconciliation/4', ready: 'order-2026-8731' },
  quality: { path: '/a/1/quality', ready: 'no_match_keys' },
  'no-quality': { path: '/a/2/quality', ready: 'No deliveries in this period' },
  webhooks: { path: '/a/1/webhooks', ready: 'warehouse.shop.example' },
  'no-webhooks': { path: '/a/2/webhooks', ready: 'No webhooks' },
  webhook: { path: '/a/1/webhooks/1', ready: 'conversionId 4050' },
  'paused-webhook': { path: '/a/1/webhooks/2?state=pending', ready: 'accepted nothing for three days' },
  'webhook-delivery': { path: '/a/1/webhooks/1/49', ready: 'webhook-id: evt_' },
  pages: { path: '/a/1/pages', ready: 'black-friday' },
  'no-pages': { path: '/a/2/pages', ready: 'No pages yet' },
  page: { path: '/a/1/pages/1', ready: 'Everything is saved' },
  'direct-page': { path: '/a/1/pages/3', ready: 'Everything is saved' },
  find: { path: '/a/1/find', ready: 'What happened to' },
  story: { path: '/a/1/find?conversion=4191', ready: 'refund-2026-7' },
  erasure: { path: '/a/1/erasure', ready: 'Receipt 1042Zk3vT9qLm2XcB7nRw5' },
  'no-erasures': { path: '/a/2/erasure', ready: 'No receipts yet' },
  security: { path: '/security', ready: 'Safari · iPhone' },
  'not-found': { path: '/a/1/nothing', ready: 'This page does not exist' },
} as const;
const names = Object.keys(screens).filter((name): name is keyof typeof screens => name in screens);

/**
 * One thing changes at a time, also from the last to the first of the next screen. The layout between has nothing for
 * axe that the others do not have.
 */
const looks = [
  { width: 360, colorScheme: 'light', axe: 'all' },
  { width: 360, colorScheme: 'dark', axe: 'colors' },
  { width: 768, colorScheme: 'dark', axe: 'none' },
  { width: 1280, colorScheme: 'dark', axe: 'all' },
  { width: 1280, colorScheme: 'light', axe: 'colors' },
  { width: 768, colorScheme: 'light', axe: 'none' },
] as const;

/** By how many pixels the page can be scrolled sideways. */
const over = 'Math.max(document.documentElement.scrollWidth - innerWidth, 0)';

/** Waits for fonts, and ends what fades into another color: an element begins when the one around it is done. */
const settled = (page: Page) =>
  page.evaluate(`(async () => {
    await document.fonts.ready;
    const running = () => document.getAnimations().filter(({ playState }) => playState === 'running');
    for (let all = running(); all.length > 0; all = running()) for (const one of all) one.finish();
  })()`);

describe('the screens of the console', () => {
  let double: ConsoleDouble;
  let browser: Browser;
  // one for all screens: its process has compiled the console, and axe, when it opens the next
  let page: Page;
  let troubles: string[];
  beforeAll(async () => {
    [browser, double] = await Promise.all([givenBrowser(), givenConsoleDouble()]);
    double.signIn('admin');
    page = await browser.newPage({ reducedMotion: 'reduce' });
    troubles = troublesOf(page, double.url);
  });
  beforeEach(() => {
    troubles.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    await double[Symbol.asyncDispose]();
  });
  const open = async (name: keyof typeof screens) => {
    const { path, ready } = screens[name];
    await page.goto(double.url + path);
    await page.getByText(ready).first().waitFor();
    if (name === 'page') await page.locator('iframe[data-loading="false"]').waitFor({ state: 'attached' });
    await settled(page);
  };

  it.each(names)(
    '%s fits on every screen, light or dark, and neither axe nor the browser finds a problem',
    async (name) => {
      for (const [index, { width, colorScheme, axe }] of looks.entries()) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        if (index === 0) await open(name);
        else await settled(page);
        expect([width, colorScheme, await page.evaluate(over)]).toEqual([width, colorScheme, 0]);
        await leaveScreenshot(page, `console-${name}-${width}-${colorScheme}`);
        const findings = axe === 'none' ? [] : await axeFindings(page, { isRecolored: axe === 'colors' });
        expect([width, colorScheme, findings]).toEqual([width, colorScheme, []]);
      }
      expect(troubles).toEqual([]);
    },
  );

  it('axe finds nothing in menus, the palette and the dialogs', async () => {
    const expectNothing = async (name: string) => {
      await leaveScreenshot(page, `console-${name}`);
      expect([name, await axeFindings(page)]).toEqual([name, []]);
      await page.keyboard.press('Escape');
    };
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light' });
    await open('overview');
    for (const menu of [/^Account: /, /^Menu/, /Last 30 days/]) {
      await page.getByRole('button', { name: menu }).click();
      await expectNothing(`menu ${String(menu)}`.replaceAll(/\W+/g, '-'));
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await expectNothing('palette');
    await open('undelivered');
    await page.getByRole('button', { name: 'Retry all…' }).click();
    await page.getByRole('button', { name: 'Retry 1,204 · USD 31,220' }).waitFor();
    await expectNothing('retry');
    await open('connection');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expectNothing('pause');
    await open('new-connection');
    await page.getByLabel('Data set (pixel) id').fill('1234567890');
    await page.getByLabel('Access token').fill('EAAB');
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('Meta rejects the connection').waitFor();
    await expectNothing('check');
    await open('keys');
    await page.getByRole('button', { name: 'Revoke Shop, production' }).click();
    await page.getByLabel('To confirm, type Shop, production').fill('Shop, production');
    await expectNothing('revoke-key');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Expires (optional)').waitFor();
    await expectNothing('issue-key');
    await open('people');
    await page.getByRole('button', { name: 'Actions for cleo.rodriguez@agency.example' }).click();
    await page.getByRole('button', { name: 'Change role and accounts…' }).click();
    await page.getByRole('checkbox', { name: 'Acme Store' }).waitFor();
    await expectNothing('change-access');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('Email', { exact: true }).fill('gil@example.com');
    await page.getByRole('checkbox', { name: 'Globex' }).check();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Send this link to gil@example.com').waitFor();
    await expectNothing('invitation-link');
    await open('accounts');
    await page.getByRole('button', { name: 'Actions for Acme Store' }).click();
    await page.getByRole('button', { name: 'Suspend…' }).click();
    await page.getByLabel('To confirm, type Acme Store').waitFor();
    await expectNothing('suspend-account');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Country').waitFor();
    await expectNothing('create-account');
    await open('webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await expectNothing('webhook-form');
    await open('webhook');
    for (const name of ['New secret…', 'Delete…']) {
      await page.getByRole('main').getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await expectNothing(`webhook ${name}`.replaceAll(/\W+/g, '-'));
    }
    await open('security');
    await page.getByRole('button', { name: 'Rename Safari · iPhone' }).click();
    await expectNothing('rename-passkey');
    await page.getByRole('button', { name: 'Remove Safari · iPhone' }).click();
    await expectNothing('remove-passkey');
  });
});
