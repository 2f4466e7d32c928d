import { shared } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { overviewReply } from '../../apps/console/src/contract/results.ts';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { firstOf } from '../support/long-run.ts';
import { enterSession, givenBuiltConsole, newPage, screens } from './given-screens.ts';
import { givenSeed } from './seed.ts';

/** The layout between has nothing for axe that the others do not have. `npm test`: the extremes, once in all colors. */
const looks = firstOf(2, [
  { width: 360, colorScheme: 'light', axe: 'all' },
  { width: 1280, colorScheme: 'dark', axe: 'colors' },
  { width: 1280, colorScheme: 'light', axe: 'all' },
  { width: 768, colorScheme: 'light', axe: 'none' },
  { width: 768, colorScheme: 'dark', axe: 'none' },
  { width: 360, colorScheme: 'dark', axe: 'colors' },
] as const);

/** By how many pixels the page can be scrolled sideways. */
const over = 'Math.max(document.documentElement.scrollWidth - innerWidth, 0)';

/** Waits for fonts, and ends what fades into another color: an element begins when the one around it is done. */
const settled = (page: Page) =>
  page.evaluate(`(async () => {
    await document.fonts.ready;
    const running = () => document.getAnimations().filter(({ playState }) => playState === 'running');
    for (let all = running(); all.length > 0; all = running()) for (const one of all) one.finish();
  })()`);

describe('the screens of the console', async () => {
  const { browser, provider, sandboxUrl } = await screens();
  // a database of its own: what a list of all people and accounts shows does not depend on other tests
  const console = await shared(givenBuiltConsole({ provider: provider.options, platformsUrl: sandboxUrl }));
  const admin = await console.person({ email: 'ana@example.com' });
  const seed = await givenSeed(console, admin);
  // one for all screens: its process has compiled the console, and axe, when it opens the next
  const page = await newPage(browser);
  afterAll(() => page.context().close());
  const troubles = troublesOf(page, console.url);
  beforeEach(() => {
    troubles.length = 0;
  });

  const own = `/a/${seed.account.id}`;
  const empty = `/a/${seed.empty.id}`;
  const { files, webhooks, pages, sources } = seed;
  /** What a screen shows once it is there. */
  const all: Readonly<Record<string, { readonly path: string; readonly ready: string }>> = {
    'sign-in': { path: '/sign-in', ready: 'Sign in' },
    invitation: { path: `/invitation#${seed.invitation}`, ready: 'Choose a password' },
    overview: { path: `${own}/overview`, ready: 'black-friday' },
    campaigns: { path: `${own}/overview?by=campaign&show=revenue.USD&range=90d`, ready: 'All others' },
    'first-steps': { path: `${empty}/overview`, ready: 'Create a landing page' },
    undelivered: { path: `${own}/undelivered`, ready: 'INVALID_CURRENCY_CODE' },
    'all-delivered': { path: `${empty}/undelivered`, ready: 'Everything was delivered' },
    deliveries: { path: `${own}/deliveries?state=failed&platform=meta&code=HTTP%20400`, ready: 'order-2026-8' },
    'no-deliveries': { path: `${own}/deliveries?test=true`, ready: 'No delivery matches' },
    delivery: { path: `${own}/deliveries/${seed.failed}?code=HTTP%20400`, ready: 'Platform unavailable' },
    connections: { path: `${own}/connections`, ready: `Google Ads rejects the connection ${seed.google.destination}` },
    'no-connections': { path: `${empty}/connections`, ready: 'No platform is connected' },
    connection: { path: `${own}/connections/${seed.meta.id}`, ready: 'Other names for conversions' },
    'rejected-connection': {
      path: `${own}/connections/${seed.google.id}?fix=refreshToken`,
      ready: 'Other names for conversions',
    },
    'choose-platform': { path: `${own}/connections/new`, ready: 'You need the pixel code' },
    'new-connection': { path: `${own}/connections/new?platform=meta&step=settings`, ready: 'Send a test event' },
    'choose-source': { path: `${own}/connections/sources/new`, ready: 'Sales of any service' },
    'new-source': { path: `${own}/connections/sources/webhook`, ready: 'Add, and show the address' },
    'new-shop': { path: `${own}/connections/sources/tiendanube`, ready: 'Add, and show the address' },
    source: { path: `${own}/connections/sources/${sources.network}`, ready: 'order order-2026-192' },
    'waiting-source': { path: `${own}/connections/sources/${sources.shop}`, ready: 'Waiting for the first message' },
    'refused-source': { path: `${own}/connections/sources/${sources.store}`, ready: 'HTTP 401: Invalid access token' },
    'map-of-source': { path: `${own}/connections/sources/${sources.service}`, ready: 'The choices are the fields' },
    keys: { path: `${own}/keys`, ready: 'Black Friday 2025' },
    'no-keys': { path: `${empty}/keys`, ready: 'No API key yet' },
    people: { path: '/people', ready: 'fred@acme.example' },
    accounts: { path: '/accounts', ready: 'Connection rejected' },
    audit: { path: `${own}/audit?from=2026-11-01`, ready: 'invented.action' },
    'audit-of-all': { path: '/audit', ready: 'invented.action' },
    imports: { path: `${own}/imports`, ready: 'clients.csv' },
    'no-imports': { path: `${empty}/imports`, ready: 'No files yet' },
    import: { path: `${own}/imports/${files.dryRun}`, ready: 'order-2026-8701' },
    'import-running': { path: `${own}/imports/${files.running}`, ready: 'Checking: 400' },
    'import-refused': { path: `${own}/imports/${files.refused}`, ready: 'cannot be read' },
    reconciliations: { path: `${own}/reconciliation`, ready: 'october.csv' },
    'no-reconciliations': { path: `${empty}/reconciliation`, ready: 'No lists yet' },
    reconciliation: { path: `${own}/reconciliation/${files.compared}`, ready: 'order-2026-8731' },
    quality: { path: `${own}/quality`, ready: 'no_match_keys' },
    'no-quality': { path: `${empty}/quality`, ready: 'No deliveries in this period' },
    webhooks: { path: `${own}/webhooks`, ready: 'warehouse.shop.example' },
    'no-webhooks': { path: `${empty}/webhooks`, ready: 'No webhooks' },
    webhook: { path: `${own}/webhooks/${webhooks.shop}`, ready: 'conversionId 4050' },
    'paused-webhook': {
      path: `${own}/webhooks/${webhooks.warehouse}?state=failed`,
      ready: 'accepted nothing for three days',
    },
    'webhook-delivery': { path: `${own}/webhooks/${webhooks.shop}/${webhooks.delivered}`, ready: 'webhook-id: evt_' },
    pages: { path: `${own}/pages`, ready: 'black-friday' },
    'no-pages': { path: `${empty}/pages`, ready: 'No pages yet' },
    page: { path: `${own}/pages/${pages.first.id}`, ready: 'Everything is saved' },
    'script-page': { path: `${own}/pages/${pages.script.id}`, ready: 'Waiting for the first click' },
    'script-way': { path: `${own}/pages#script`, ready: 'Sites that have the script' },
    'direct-page': { path: `${own}/pages/${pages.direct.id}`, ready: 'Everything is saved' },
    'server-way': { path: `${own}/pages#server`, ready: 'curl https://api.example/api/v1/lead' },
    find: { path: `${own}/find`, ready: 'What happened to' },
    story: { path: `${own}/find?conversion=${seed.story}`, ready: 'refund-2026-7' },
    domains: { path: `${own}/pages#domains`, ready: 'go.shop.example.com' },
    erasure: { path: `${own}/erasure`, ready: `Receipt ${seed.receipt}` },
    'no-erasures': { path: `${empty}/erasure`, ready: 'No receipts yet' },
    security: { path: '/security', ready: 'Safari · iPhone' },
    'not-found': { path: `${own}/nothing`, ready: 'This page does not exist' },
  };
  const signedOut = ['sign-in', 'invitation'];
  // the first of a hundred campaigns, which look alike
  await page.route(/\/api\/.*\/overview\?.*by=campaign/, async (route) => {
    const response = await route.fetch();
    const overview = overviewReply.parse(await response.json());
    await route.fulfill({ response, json: { ...overview, rows: overview.rows.slice(0, 4) } });
  });

  const open = async (name: string) => {
    const { path, ready } = all[name] ?? { path: `/${name}`, ready: '' };
    await page.goto(console.url + path);
    await page.getByText(ready).first().waitFor();
    if (name === 'page') await page.locator('iframe[data-loading="false"]').waitFor({ state: 'attached' });
    await settled(page);
  };

  it.each(Object.keys(all))(
    '%s fits on every screen, light or dark, and neither axe nor the browser finds a problem',
    async (name) => {
      if (signedOut.includes(name)) await page.context().clearCookies();
      else if (name === 'overview') await enterSession(page, console, admin);
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
    // however slow the screens before were
    await console.database.pool.query('update person_session set stepped_up_at = now()');
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
    await page.getByRole('button', { name: /^Retry 1,204 · / }).waitFor();
    await expectNothing('retry');
    await open('connection');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expectNothing('pause');
    await open('new-connection');
    await page.getByLabel('Data set (pixel) id').fill('1234567890');
    await page.getByLabel('Access token').fill('revoked-EAAB');
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
    await page.getByLabel('Email', { exact: true }).fill('hugo@example.com');
    await page.getByRole('checkbox', { name: 'Globex' }).check();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Send this link to hugo@example.com').waitFor();
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
    await open('source');
    for (const name of ['Work on them again…', 'Delete…']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await expectNothing(`source ${name}`.replaceAll(/\W+/g, '-'));
    }
    await open('waiting-source');
    await page.getByRole('button', { name: 'New secret…' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('Copy the secret now').waitFor();
    await expectNothing('source-secret');
    await open('security');
    await page.getByRole('button', { name: 'Rename Safari · iPhone' }).click();
    await expectNothing('rename-passkey');
    await page.getByRole('button', { name: 'Remove Safari · iPhone' }).click();
    await expectNothing('remove-passkey');
  });
});
