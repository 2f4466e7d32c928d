import { type Account, Delivery } from '@leadback/db';
import { givenAccount, givenConnection, givenConversion, givenDelivery } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { troublesOf } from '../support/given-browser.ts';
import { makeOld, pageOf, screens } from './given-screens.ts';

describe('connections in the browser', async () => {
  const { browser, console } = await screens();
  let person: SignedIn;
  let account: Account;
  let page: Page;
  let troubles: string[];
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
    // the second factor gives a session another token
    person = await console.person({ role: 'operator' });
    page = await pageOf(browser, console, person);
    troubles = troublesOf(page, console.url);
  });

  const open = (rest = '', on = page) => on.goto(`${console.url}/a/${account.id}/connections${rest}`);
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name });
  const stored = async (id: number) => {
    const { rows } = await console.database.pool.query<{ settings: unknown; state: string }>(
      'select label, settings, state, deleted_at is not null as "isDeleted" from platform_connection where id = $1',
      [id],
    );
    return rows[0];
  };

  it('the first platform is connected: a wrong id is named beside its field, and the answer to a test event is shown', async () => {
    await open();
    await page.getByText('No platform is connected').waitFor();
    await button('Connect a platform').click();
    await page.getByRole('link', { name: /^Meta/ }).click();
    await page.getByLabel('Data set (pixel) id').fill('my pixel');
    await page.getByLabel('Access token').fill('EAAB-right');
    await page.getByRole('checkbox', { name: /^Clients/ }).check();
    await button('Add a name').click();
    await page.getByLabel('eventName of the partner').fill('subscription');
    await page.getByLabel('What the platform calls subscription').fill('Subscribe');
    await button('Send a test event').click();
    await page.getByText('Correct the field that is marked.').waitFor();
    const wrong = page.getByLabel('Data set (pixel) id');
    expect(await wrong.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('expected the digits of the data set (pixel) id').waitFor();
    await wrong.fill('77');
    await page.getByLabel('Label (optional)').fill('Shop in Argentina');
    await button('Send a test event').click();
    await page.getByText('Meta accepted a test event, which does not count as a conversion.').waitFor();
    await page.getByText('HTTP 200').waitFor();
    await button('Connect Meta').click();
    await page.getByText('Connected. Conversions are reported from now on.').waitFor();
    await page.getByRole('heading', { name: 'Meta · Shop in Argentina (77)' }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    expect(await stored(id)).toMatchObject({
      state: 'active',
      label: 'Shop in Argentina',
      settings: { pixelId: '77' },
    });
    expect(await page.content()).not.toContain('EAAB-right');
    // the browser's own words about the reply 422
    expect(troubles.filter((trouble) => !trouble.includes('422'))).toEqual([]);
  });

  it('people who may manage connections read when a platform ends the version of its API, once for each platform', async () => {
    const em = console.database.em();
    for (const platform of ['linkedin', 'linkedin', 'google'] as const) {
      await givenConnection(em, { account, platform, ...(platform === 'linkedin' && { state: 'paused' as const }) });
    }
    const viewer = await console.person({ role: 'marketer', accounts: [account.id] });
    const seen = await pageOf(browser, console, viewer);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-05-16') });
    onTestFinished(() => void vi.useRealTimers());
    await open();
    const ends = page.getByText('LinkedIn ends version 202607 of its API on Jul 15, 2027 at the earliest.');
    await ends.waitFor();
    expect(await ends.count()).toBe(1);
    await page.getByText('The team that runs Leadback must upgrade it before then.').waitFor();
    await page
      .getByRole('link', { name: /LinkedIn/ })
      .first()
      .click();
    await page.getByRole('heading', { name: /^LinkedIn ·/ }).waitFor();
    await ends.waitFor();

    await open('', seen);
    await seen
      .getByRole('link', { name: /LinkedIn/ })
      .first()
      .waitFor();
    expect(await seen.getByText('of its API').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('a connection is deleted after the person has read what that means, and agreed to skip what waits', async () => {
    const connection = await givenConnection(console.database.em(), { account, label: 'Made by mistake' });
    await givenDelivery(console.database.em(), { connection });
    await open(`/${connection.id}`);
    await button('Delete…').click();
    const dialog = page.getByRole('dialog', { name: `Delete Meta · Made by mistake (${connection.destination})` });
    await dialog.getByText('Pending deliveries that wait for it: 1.').waitFor();
    const action = dialog.getByRole('button', { name: 'Delete the connection' });
    expect(await action.isEnabled()).toBe(false);
    await dialog.getByLabel('Skip what waits: the platform is never told of it').check();
    await action.click();
    await page.getByText(`Deleted: Made by mistake (${connection.destination}).`).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/a/${account.id}/connections`);
    expect(await stored(connection.id)).toMatchObject({ isDeleted: true });
    expect(troubles).toEqual([]);
  });

  it('a rejected connection is fixed from its button: a new token, after the second factor, is checked and sends what waits', async () => {
    const connection = await givenConnection(console.database.em(), { account, state: 'needs_attention' });
    await givenDelivery(console.database.em(), { connection });
    const { pool } = console.database;
    await pool.query(`update platform_connection set state_reason = '190: expired' where id = $1`, [connection.id]);
    await makeOld(console, person);
    await open();
    await page.getByText(`Meta rejects the connection ${connection.destination}`).waitFor();
    await button('Fix the connection').click();
    await page.locator('input[name=accessToken]:focus').waitFor();
    await page.keyboard.type('EAAB-new');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('textbox').fill(person.code());
    await page.keyboard.press('Enter');
    await page.getByText('The platform accepts the connection again. Deliveries that are sent now: 1.').waitFor();
    await page.getByText('Meta accepted a test event').waitFor();
    await page.getByText('Active', { exact: true }).first().waitFor();
    await page.getByRole('group', { name: 'Access token' }).waitFor();
    expect((await stored(connection.id))?.state).toBe('active');
  });

  it.each([
    {
      locale: 'en-US',
      title: /^Meta rejects the connection /,
      waits: 'Waiting until you act: 1, worth USD 12,500.50.',
      remedy: /^The access token is not valid: .* Generate a new one in Events Manager/,
      fix: 'Fix the connection',
      save: 'Save',
      sent: 'The platform accepts the connection again. Deliveries that are sent now: 1.',
    },
    {
      locale: 'es-AR',
      title: /^Meta rechaza la conexión /,
      waits: /^Esperan hasta que actúes: 1, por .*12[.]500,50/,
      remedy: /^El token de acceso no es válido: .* Genera uno nuevo en el Administrador de eventos/,
      fix: 'Corregir la conexión',
      save: 'Guardar',
      sent: 'La plataforma acepta otra vez la conexión. Entregas que se envían ahora: 1.',
    },
    {
      locale: 'pt-BR',
      title: /^Meta rejeita a conexão /,
      waits: /^Esperam até que você aja: 1, no valor de US[D$].12[.]500,50[.]/,
      remedy: /^O token de acesso não é válido: .* Gere um novo no Gerenciador de eventos/,
      fix: 'Corrigir a conexão',
      save: 'Salvar',
      sent: 'A plataforma aceita a conexão de novo. Entregas enviadas agora: 1.',
    },
  ])(
    'a token that was rejected at night is said on every screen of a phone, with what waits and the fix, in $locale',
    async (words) => {
      const em = console.database.em();
      const own = await givenAccount(em);
      const connection = await givenConnection(em, { account: own, state: 'needs_attention' });
      const conversion = await givenConversion(em, { account: own, amount: '12500.50', currency: 'USD' });
      await givenDelivery(em, { connection, conversion });
      await console.database.pool.query(
        `update platform_connection set state_reason = '190: expired', state_since = now() - interval '9 hours' where id = $1`,
        [connection.id],
      );
      const phone = await pageOf(browser, console, person, {
        locale: words.locale,
        viewport: { width: 390, height: 844 },
      });
      for (const screen of ['overview', 'quality', 'undelivered']) {
        await phone.goto(`${console.url}/a/${own.id}/${screen}`);
        await phone.getByRole('heading', { name: words.title }).waitFor();
        await phone.getByText(words.waits).waitFor();
        await phone.getByText(words.remedy).waitFor();
        expect(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        if (process.env['SHOTS']) await phone.screenshot({ path: `/tmp/shots/${words.locale}-${screen}.png` });
      }
      await button(words.fix, phone).click();
      await phone.locator('input[name=accessToken]:focus').waitFor();
      await phone.keyboard.type('EAAB-new');
      await button(words.save, phone).click();
      await phone.getByText(words.sent).waitFor();
      if (process.env['SHOTS']) await phone.screenshot({ path: `/tmp/shots/${words.locale}-fixed.png` });
      await phone.goto(`${console.url}/a/${own.id}/overview`);
      await phone.getByRole('heading', { level: 1 }).waitFor();
      expect(await phone.getByRole('heading', { name: words.title }).count()).toBe(0);
    },
  );

  it('sales that no connection took are said on every screen, and the first connection offers to report them', async () => {
    const conversion = await givenConversion(console.database.em(), { account, amount: '70.00', currency: 'USD' });
    await console.database.pool.query('update conversion set is_untold = true where id = $1', [conversion.id]);
    await page.goto(`${console.url}/a/${account.id}/overview`);
    await page.getByText('Sales: 1, worth USD 70. No connection took them.').waitFor();
    await page.getByRole('link', { name: 'Connect a platform' }).click();
    await page.getByRole('link', { name: /^Meta/ }).click();
    await page.getByLabel('Data set (pixel) id').fill('77');
    await page.getByLabel('Access token').fill('EAAB-right');
    await button('Send a test event').click();
    await button('Connect Meta').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sales to report: 1').waitFor();
    await dialog.getByRole('button', { name: 'Report them now' }).click();
    await page.getByText('Queued to be reported: 1.').waitFor();
    await page.getByRole('heading', { name: 'Sales that no platform was told of' }).waitFor({ state: 'detached' });
    expect(await console.database.em().count(Delivery, { conversion: conversion.id })).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('a new connection is told of earlier sales once they were counted', async () => {
    const em = console.database.em();
    const own = await givenAccount(em);
    await givenConversion(em, { account: own, amount: '70.00', currency: 'USD' });
    await givenConversion(em, { account: own, amount: '5.00', currency: 'USD', occurredAt: new Date('2026-01-01') });
    const { id } = await givenConnection(em, { account: own });
    await page.goto(`${console.url}/a/${own.id}/connections/${id}`);
    await button('Report earlier sales…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sales to report: 1').waitFor();
    await dialog.getByText('USD 70').waitFor();
    await dialog.getByText('Too old for the platform: 1').waitFor();
    await dialog.getByRole('button', { name: 'Report them now' }).click();
    await page.getByText('Queued to be reported: 1.').waitFor();
    expect(await em.count(Delivery, { connection: id })).toBe(1);
    await button('Report earlier sales…').click();
    await dialog.getByText('Told already, or waiting: 1').waitFor();
    await page.keyboard.press('Escape');
    expect(troubles).toEqual([]);
  });

  it('a pause says first that what waits may become too old', async () => {
    const { id } = await givenConnection(console.database.em(), { account });
    await open(`/${id}`);
    await button('Pause').click();
    await page.getByText('Conversions registered meanwhile wait, too.').waitFor();
    await page.keyboard.press('Escape');
    expect((await stored(id))?.state).toBe('active');
    await button('Pause').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused. Pending deliveries: 0.').waitFor();
    expect((await stored(id))?.state).toBe('paused');
    expect(troubles).toEqual([]);
  });

  it('the second of two people is shown what the first has changed, and keeps what was typed', async () => {
    const { id } = await givenConnection(console.database.em(), { account });
    const other = await pageOf(browser, console, person);
    await Promise.all([open(`/${id}`), open(`/${id}`, other)]);
    await page.getByLabel('Data set (pixel) id').fill('11');
    await other.getByLabel('Refund event').fill('Refund');
    await button('Save', other).click();
    await other.getByText('Saved.').waitFor();
    await button('Save').click();
    await page.getByText('Somebody else changed this connection in the meantime.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Refund event' }).getByText('Refund', { exact: true }).waitFor();
    expect(await page.getByLabel('Data set (pixel) id').inputValue()).toBe('11');
    await button('Continue with these values').click();
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    expect((await stored(id))?.settings).toMatchObject({ pixelId: '11', refundEvent: 'Refund' });
  });

  it('is read and not changed by a marketer', async () => {
    const { id } = await givenConnection(console.database.em(), { account });
    const marketer = await console.person({ role: 'marketer', accounts: [account.id] });
    page = await pageOf(browser, console, marketer);
    await open(`/${id}`);
    await page.getByText('Your role may read, but not change connections.').waitFor();
    expect(await page.getByLabel('Data set (pixel) id').isDisabled()).toBe(true);
    expect(await button(/Pause|Save|test event/).count()).toBe(0);
  });
});
