import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Account, PlatformConnection } from '@leadback/db';
import { dayAfter } from '@leadback/domain';
import {
  givenAccount,
  givenAdjustment,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLandingPage,
  givenManyDeliveries,
} from '@leadback/testing';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { troublesOf } from '../support/given-browser.ts';
import { enterSession, newPage, pageOf, postsOf, screens, signIn } from './given-screens.ts';
import { givenResults } from './seed.ts';

const password = 'a sentence that only Ana knows';
const wrongCurrency = { state: 'failed', reason: 'INVALID_CURRENCY_CODE: the currency is not known' } as const;

describe('a person in the console', async () => {
  const { browser, console } = await screens();
  const { database } = console;
  const em = () => database.em();
  const operator = await console.person({ role: 'operator' });
  // one for all journeys: its process has compiled the console when it opens the next screen
  const page = await newPage(browser);
  afterAll(() => page.context().close());
  const posts = postsOf(page);

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(em());
    await enterSession(page, console, operator);
    posts.length = 0;
  });
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.emulateMedia({ colorScheme: null });
  });

  const open = (path: string) => page.goto(console.url + path);
  const openOwn = (path: string) => open(`/a/${account.id}/${path}`);
  const member = (role: 'marketer' | 'partner-viewer') => console.person({ role, accounts: [account.id] });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const sale = (reference: string) => page.getByText(reference, { exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const type = (text: string) => page.keyboard.type(text);
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const searched = () => Object.fromEntries(new URL(page.url()).searchParams);

  /** Deliveries of the conversions order-1, order-2 …; returns their ids. */
  const deliver = (connection: PlatformConnection, rows: number, more: object = wrongCurrency) =>
    givenManyDeliveries(database, { connection, rows, reference: 'order-', ...more });
  const connect = (more: object = {}) => givenConnection(em(), { account, ...more });
  const results = async () => {
    const pages = [await givenLandingPage(em(), { account }), await givenLandingPage(em(), { account })];
    await givenResults(console, account, pages);
    return pages;
  };
  /** What the server replies from now on. */
  const fail = (requests: string, status: number) =>
    page.route(requests, (route) =>
      route.fulfill({
        status,
        headers: { 'leadback-error': 'internal', 'x-request-id': randomUUID() },
        json: { message: 'internal error' },
      }),
    );

  it('signs in with the keyboard alone, after a wrong code, and reaches the screen that was asked for', async () => {
    const person = await member('marketer');
    await enterSession(page, console);
    await openOwn('deliveries?state=failed');
    await heading('Sign in').waitFor();
    await press('Tab');
    await type(person.email);
    await press('Tab');
    await type(person.password);
    await press('Tab');
    await type('000000');
    await press('Enter');
    await page.getByRole('alert').getByText('Email, password or code is wrong.').waitFor();
    await page.getByText('I cannot sign in').waitFor();
    const code = person.code();
    await type(code);
    await press('Enter');
    await heading('Deliveries').waitFor();
    expect(searched()).toEqual({ state: 'failed' });
    const { email, password: secret } = person;
    expect(posts.at(-1)).toEqual({ path: '/session/sign-in', body: { email, password: secret, code } });
  });

  it('does not follow a sign-in link to another host', async () => {
    const person = await member('marketer');
    await enterSession(page, console);
    await open('/sign-in?next=//evil.example/');
    await signIn(page, person);
    await heading('Overview').waitFor();
    expect(new URL(page.url()).origin).toBe(console.url);
  });

  it('is invited, sets up a second factor by picture or text, finds what was not delivered, and sends it again', async () => {
    await deliver(await connect(), 3);
    const { token } = await console.invite({ role: 'operator' });
    await enterSession(page, console);
    await open(`/invitation#${token}`);
    await page.getByText('You were invited as operator').waitFor();
    await page.getByLabel('Choose a password').fill(password);
    await press('Enter');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await page.getByRole('main').locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/);
    const code = page.getByLabel('Code', { exact: true });
    await code.fill('999999');
    await press('Enter');
    await page.getByText('This code is wrong or was replaced.').waitFor();
    const troubles = troublesOf(page, console.url);
    await code.fill(new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate());
    await press('Enter');
    await heading('Overview').waitFor();
    expect(posts.map(({ path }) => path)).toEqual([
      '/invitation/read',
      '/invitation/password',
      '/invitation/accept',
      '/invitation/accept',
    ]);

    await openOwn('undelivered');
    await page.getByText('Not delivered: 3').waitFor();
    await button('Retry all…').click();
    await button(/^Retry 3 · /).click();
    await page.getByText('Deliveries on their way again: 3. How they end is shown here.').waitFor();
    await page.getByText('Everything was delivered').waitFor();
    await link('See all deliveries').click();
    await page.getByRole('row').filter({ hasText: 'Pending' }).nth(2).waitFor();
    await press('j', 'Enter');
    await page.getByText('Retry requested').waitFor();
    expect(troubles).toEqual([]);
  });

  it('reads what to do if the invitation was used or has expired', async () => {
    await enterSession(page, console);
    await open(`/invitation#${'u'.repeat(43)}`);
    await heading('This invitation does not work').waitFor();
    expect(await page.getByText('Ask the person who invited you for a new one.').isVisible()).toBe(true);
  });

  it('signs in again in the middle of a form, and finds it as it was', async () => {
    const [, id] = await deliver(await connect(), 3);
    const person = await member('marketer');
    await enterSession(page, console, person);
    await openOwn('deliveries');
    await page.getByLabel('Select Conversion order-2').check();
    await page.getByLabel('Find by order number or conversion id').fill('4177');
    await database.pool.query('update person_session set expires_at = now() where person_id = $1', [person.personId]);
    await button('Retry 1').click();
    await heading('You are signed out').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByLabel('Code').fill(person.code());
    await press('Enter');
    await heading('You are signed out').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Find by order number or conversion id').inputValue()).toBe('4177');
    expect(await page.getByLabel('Select Conversion order-2').isChecked()).toBe(true);
    await database.pool.query(`update delivery set state = 'delivered' where id = $1`, [id]);
    await button('Retry 1').click();
    await page.getByText('It was delivered in the meantime: nothing was sent.').waitFor();
  });

  it('counts a retry before it starts it, and follows its progress to the end', async () => {
    const connection = await connect();
    await deliver(connection, 1204);
    const paused = await connect({ platform: 'google', state: 'paused' });
    await deliver(paused, 88, { ...wrongCurrency, reference: 'paused-' });
    await openOwn('undelivered');
    await button('Retry all…').click();
    await page.getByText('88 more stay as they are').waitFor();
    await button('Retry 1,204 · USD 12,040').click();
    await page.getByText('Retry started.').waitFor();
    await page.getByText('Deliveries on their way again: 1,204. How they end is shown here.').waitFor();
    await page.getByText('1,204 on their way', { exact: true }).waitFor();
    await database.pool.query(
      `update delivery set state = case when id % 2 = 0 then 'delivered' else 'failed' end, reason = case when id % 2 = 1 then 'HTTP 400' end
       where state = 'pending' and connection_id = $1`,
      [connection.id],
    );
    await page.getByText('602 delivered · 602 failed again').waitFor();
    await page.getByText('Not delivered: 690').waitFor();
    expect(posts).toEqual([
      { path: `/accounts/${account.id}/undelivered/count`, body: {} },
      { path: `/accounts/${account.id}/undelivered/retry`, body: {} },
    ]);
  });

  it('learns that a retry is finished also if it was never in the list as running', async () => {
    const connection = await connect();
    await deliver(connection, 2);
    await page.route('**/tasks', async (route) => {
      let response = await route.fetch();
      while ((await response.text()).includes('"running"')) response = await route.fetch();
      await route.fulfill({ response });
    });
    await Promise.all([page.waitForResponse('**/tasks'), openOwn('undelivered')]);
    await button('Retry… Meta · Failed · INVALID_CURRENCY_CODE').click();
    const [readAgain] = await Promise.all([
      page.waitForResponse('**/api/**/undelivered'),
      page.getByText('Deliveries on their way again: 2. How they end is shown here.').waitFor(),
      button('Retry 2 · USD 20').click(),
    ]);
    expect(readAgain.status()).toBe(200);
    const filter = { connectionId: connection.id, state: 'failed', code: 'INVALID_CURRENCY_CODE' };
    expect(posts.map(({ body }) => body)).toEqual([filter, filter]);
  });

  it('reads of a correction what is told and what was before, and how many wait for their conversion', async () => {
    const connection = await connect();
    const conversion = await givenConversion(em(), { account, amount: '299.90', externalReference: 'order-189' });
    for (const amount of ['249.90', '199.90', '149.90']) {
      const adjustment = await givenAdjustment(em(), { conversion, kind: 'restate', amount });
      await givenDelivery(em(), { connection, adjustment });
    }
    await database.pool.query(`update delivery set reason = 'original_pending' where account_id = $1`, [account.id]);
    await database.pool.query(`update delivery_due set not_before = now() + interval '1 day' where account_id = $1`, [
      account.id,
    ]);
    await openOwn('deliveries');
    const row = page.getByRole('row').filter({ hasText: 'order-189' }).filter({ hasText: '249.90' });
    await row.getByText('was USD 299.90').waitFor();
    expect(await row.textContent()).toMatch(/New amount.*USD\s249\.90was USD\s299\.90/);
    await openOwn(`connections/${connection.id}`);
    await page.getByText('Corrections that wait until their conversion is confirmed: 3').waitFor();
    expect(await page.getByText('Active', { exact: true }).count()).toBe(1);
  });

  it.each([
    {
      locale: 'es-AR',
      title: 'Sin datos para reconocer a la persona',
      meaning: /^La plataforma no puede asociar el evento .* Registra a los clientes con su correo o su teléfono/,
      tooOld: 'La plataforma no acepta eventos de más de 7 días.',
      rejected: 'Meta rechazó el evento',
      action: 'Reintentar… Meta · Omitidas · Sin datos para reconocer a la persona',
    },
    {
      locale: 'pt-BR',
      title: 'Sem dados para reconhecer a pessoa',
      meaning: /^A plataforma não consegue associar o evento .* Registre os clientes com email ou telefone/,
      tooOld: 'A plataforma não aceita eventos com mais de 7 dias.',
      rejected: 'Meta rejeitou o evento',
      action: 'Reenviar… Meta · Ignoradas · Sem dados para reconhecer a pessoa',
    },
  ])('reads on a phone why deliveries were lost and what helps, in $locale, with the code beside it', async (words) => {
    const connection = await connect();
    const [id] = await deliver(connection, 1, { state: 'skipped', reason: 'no_match_keys' });
    await deliver(connection, 1, { state: 'skipped', reason: 'event_too_old', reference: 'old-' });
    await deliver(connection, 1, { ...wrongCurrency, reference: 'wrong-' });
    const said = '100: Invalid parameter';
    await deliver(connection, 1, { state: 'failed', reason: said, reference: 'number-' });
    await database.pool.query(
      `insert into quality_day (account_id, connection_id, day, platform, state, reason, verdict, match_keys, currency, deliveries, amount)
       values ($1, $2, current_date - 1, 'meta', 'skipped', 'no_match_keys', '', -1, 'USD', 31, 310)`,
      [account.id, connection.id],
    );
    const phone = await pageOf(browser, console, operator, {
      locale: words.locale,
      viewport: { width: 390, height: 844 },
    });
    const read = async (path: string, title = words.title) => {
      await phone.goto(`${console.url}/a/${account.id}/${path}`);
      await phone.getByText(title).first().waitFor();
      await phone.getByText('no_match_keys', { exact: true }).first().waitFor();
      expect(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    };
    for (const path of ['undelivered', 'quality', `deliveries/${id}`]) {
      await read(path);
      await phone.getByText(words.meaning).first().waitFor();
      expect(await phone.locator('body [lang]').filter({ hasText: words.meaning }).count()).toBe(0);
    }
    await read('deliveries');
    await read('undelivered');
    await phone.getByText(words.tooOld).waitFor();
    await phone.getByText('INVALID_CURRENCY_CODE', { exact: true }).first().waitFor();
    // a number alone says nothing
    await phone.getByText(words.rejected).waitFor();
    await phone.getByText(said).waitFor();
    await phone.getByRole('button', { name: words.action }).waitFor();
  });

  it('is offered no retry if the role may only read', async () => {
    const [id] = await deliver(await connect(), 1);
    await enterSession(page, console, await member('partner-viewer'));
    await openOwn('undelivered');
    await page.getByText('Your role may read, but not retry.').waitFor();
    expect(await button(/^Retry/).count()).toBe(0);
    await openOwn(`deliveries/${id}`);
    await heading('Attempts').waitFor();
    expect(await button(/^Retry/).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  it('goes through deliveries by keyboard: rows, drawer, its neighbours, and back to the row', async () => {
    const [first, second, third] = await deliver(await connect({ platform: 'google' }), 3);
    await deliver(await connect(), 2, { ...wrongCurrency, reference: 'of-meta-' });
    await openOwn('deliveries?platform=google');
    await sale('order-3').waitFor();
    await press('j', 'j', 'Enter');
    await heading(`Delivery ${second}`).waitFor();
    await press('j');
    await heading(`Delivery ${first}`).waitFor();
    await press('k', 'k');
    await heading(`Delivery ${third}`).waitFor();
    expect(searched()).toEqual({ platform: 'google' });
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(`/a/${account.id}/deliveries`);
    await press('/');
    await type('4177');
    await press('Enter');
    await button('Remove filter: Conversion 4177').waitFor();
    expect(searched()).toEqual({ platform: 'google', conversion: '4177' });
  });

  it('retries all that a connection did not deliver since a delivery, after it was counted', async () => {
    const connection = await connect();
    const [, since = 0] = await deliver(connection, 3);
    await openOwn(`deliveries/${since}`);
    await button('Retry all since this one…').click();
    const dialog = page.getByRole('dialog', { name: 'Retry deliveries' });
    await dialog.getByText(`${connection.destination}: all that was not delivered since delivery ${since}`).waitFor();
    await dialog.getByRole('button', { name: 'Retry 2 · ' }).click();
    await page.getByText('Retry started').waitFor();
    const filter = { connectionId: connection.id, since };
    expect(posts).toEqual([
      { path: `/accounts/${account.id}/undelivered/count`, body: filter },
      { path: `/accounts/${account.id}/undelivered/retry`, body: filter },
    ]);
  });

  it('filters by what a cell shows, loads older pages, and removes a filter', async () => {
    const connection = await connect();
    await deliver(connection, 55, { state: 'delivered' });
    await deliver(connection, 2, { state: 'skipped', reason: 'consent', reference: 'skipped-' });
    await openOwn('deliveries');
    await button('Load more').click();
    await sale('order-1').waitFor();
    await page.getByTitle('Filter by this: No consent').first().click();
    await button('Remove filter: Reason: No consent').waitFor();
    expect(searched()).toEqual({ state: 'skipped', code: 'consent' });
    await button('Remove filter: Skipped').click();
    await sale('order-55').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('moves the period by its own length, and chooses what the chart shows; the URL says both', async () => {
    const [own] = await results();
    const today = new Date().toISOString().slice(0, 10);
    await openOwn(`overview?from=${dayAfter(today, -27)}&to=${dayAfter(today, -18)}`);
    await button('Earlier period').click();
    await page.getByRole('link', { name: /Revenue USD/ }).click();
    await page.getByLabel('Revenue USD by day').waitFor();
    const from = dayAfter(today, -37);
    expect(searched()).toEqual({ from, to: dayAfter(today, -28), show: 'revenue.USD' });
    await page.getByLabel('Revenue USD by day').focus();
    await press('Home');
    const said = await page.getByLabel('Revenue USD by day').getAttribute('aria-valuetext');
    const day = new Date(from).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
    expect(said?.replaceAll('\u00a0', ' ')).toMatch(new RegExp(`^${day}: USD [\\d,.]+ \\(Before: USD [\\d,.]+\\)$`));
    await link(own?.slug ?? '').click();
    await button(`Remove filter: Page: ${own?.slug}`).waitFor();
  });

  it('finds an order from every screen by the palette, and narrows the deliveries to it', async () => {
    await deliver(await connect(), 3);
    await openOwn('overview');
    await heading('Overview').waitFor();
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await type('order-2');
    await page.getByRole('option', { name: 'Find “order-2” among orders, people and deliveries' }).waitFor();
    await press('Enter');
    await heading('Find').waitFor();
    await page.getByText('order-2').first().waitFor();
    // the text may be an email: the URL has ids alone
    expect(page.url()).not.toContain('order-2');

    await openOwn('deliveries');
    const field = page.getByLabel('Find by order number or conversion id');
    await field.fill('order-3');
    await press('Enter');
    await button('Remove filter: Order order-3').waitFor();
    await sale('order-1').waitFor({ state: 'detached' });
    expect(await sale('order-3').count()).toBe(1);
    expect(searched()).toEqual({ conversion: expect.stringMatching(/^\d+$/) });
    // what names no sale is looked for among people, too
    await field.fill('nobody@example.com');
    await press('Enter');
    await heading('Find').waitFor();
    await page.getByText('Nothing is called “nobody@example.com”').waitFor();
  });

  it('finds screens, accounts and settings in the palette, and keeps the chosen language', async () => {
    const other = await givenAccount(em(), { status: 'suspended' });
    await openOwn('overview');
    await heading('Overview').waitFor();
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await type('espanol');
    await press('Enter');
    await heading('Resumen').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
    await page.reload();
    await heading('Resumen').waitFor();
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await type(other.name);
    await press('Enter');
    await page.getByText('Esta cuenta está suspendida.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/a/${other.id}/overview`);
  });

  it('keeps the chosen theme, and follows the system without a choice', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openOwn('overview');
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await heading('Overview').waitFor();
    const dark = await background();
    await button(/^Menu/).click();
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await page.reload();
    await heading('Overview').waitFor();
    expect(await background()).not.toBe(dark);
  });

  it('reads what failed with the request id, and tries again', async () => {
    await deliver(await connect(), 1);
    await fail('**/api/**/undelivered', 500);
    await openOwn('undelivered');
    const alert = page.getByRole('alert');
    await alert.getByText('The server reported an internal error.').waitFor();
    expect(await alert.textContent()).toMatch(/Request id: [\da-f-]{36}/);
    await page.unrouteAll();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('INVALID_CURRENCY_CODE').first().waitFor();
  });

  it('keeps what it sees, with its age, while the server is unavailable', async () => {
    await deliver(await connect(), 2);
    await openOwn('undelivered');
    await button('Retry all…').click();
    await button(/^Retry 2 · /).waitFor();
    await fail('**/api/**/undelivered', 503);
    await button(/^Retry 2 · /).click();
    await page.getByText('The server did not respond. You see data from').waitFor();
    expect(await page.getByText('INVALID_CURRENCY_CODE').first().isVisible()).toBe(true);
    await page.unrouteAll();
    await button('Try again').click();
    await page.getByText('The server did not respond.').waitFor({ state: 'detached' });
  });

  it('reads below the rows that older ones failed to load, and loads them with one click', async () => {
    await deliver(await connect(), 55);
    await openOwn('deliveries');
    await button('Load more').waitFor();
    await fail('**/api/**/deliveries?*', 500);
    await button('Load more').click();
    await page.getByRole('alert').getByText('The server reported an internal error.').waitFor();
    expect(await page.getByText('The server did not respond.').count()).toBe(0);
    await page.unrouteAll();
    await button('Try again').click();
    await sale('order-1').waitFor();
  });

  it('downloads the campaigns as CSV, without formulas and as a spreadsheet of the language reads it', async () => {
    await results();
    const today = new Date().toISOString().slice(0, 10);
    const from = dayAfter(today, -9);
    await openOwn(`overview?by=campaign&from=${from}&to=${today}`);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download CSV').click()]);
    expect(download.suggestedFilename()).toBe(`leadback-campaign-${from}-${today}.csv`);
    const lines = (await readFile(await download.path(), 'utf8')).split('\n');
    expect(lines[0]).toBe(
      '"Campaign","Revenue USD","Revenue ARS","Revenue BRL","Revenue CLP","Leads","Clients","Conversions"',
    );
    expect(lines).toContainEqual(expect.stringMatching(/^"'=brand-search-ar"(,[\d.]+){4}(,\d+){3}$/));
    expect(lines.at(-2)).toMatch(/^"All others",/);
    await button(/^Menu/).click();
    await page.getByRole('button', { name: 'Español', exact: true }).click();
    const [spanish] = await Promise.all([page.waitForEvent('download'), button('Descargar CSV').click()]);
    const text = await readFile(await spanish.path(), 'utf8');
    expect(text).toMatch(/^\uFEFF"Campaña";"Ingresos USD";"Ingresos ARS";/);
    expect(text.split('\n')).toContainEqual(expect.stringMatching(/^"'=brand-search-ar"(;\d+(,\d+)?){4}(;\d+){3}$/));
  });

  it('sees which platform earned, and then its campaigns alone', async () => {
    const { pool } = console.database;
    const [landing] = await results();
    await pool.query(
      `insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
       values ($1, now(), $2, $3, 'conversions', 7), ($1, now(), $2, $4, 'conversions', 5)`,
      [account.id, landing?.id, 'verano\u001fgoogle\u001f\u001fcpc', 'verano\u001fmeta'],
    );
    await openOwn('overview');
    await link('Platforms').click();
    await link('Google Ads').click();
    await button(/Platform: Google Ads/).waitFor();
    await link('Campaigns').click();
    await link('verano').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'verano' }).innerText()).toContain('7');
    expect(searched()).toMatchObject({ by: 'campaign', platform: 'google' });
  });

  it('signs out, and sees nothing of the account afterwards', async () => {
    await enterSession(page, console, await member('marketer'));
    const troubles = troublesOf(page, console.url);
    await openOwn('overview');
    await button(/^Menu/).click();
    await button('Sign out').click();
    await heading('Sign in').waitFor();
    await page.goBack();
    await heading('Sign in').waitFor();
    // one that was on its way may be answered after the session has ended
    expect(troubles.filter((trouble) => !trouble.includes('401'))).toEqual([]);
  });

  it('finds each screen once in the navigation, in its group', async () => {
    await enterSession(page, console, await console.person());
    await openOwn('overview');
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Audit log' }).waitFor();
    const groups = await navigation.getByRole('list').all();
    const names = await Promise.all(groups.map((group) => group.locator('a > span:first-of-type').allInnerTexts()));
    expect(names).toEqual([
      ['Overview', 'Quality', 'Find'],
      ['Undelivered', 'Deliveries'],
      ['Connections', 'Pages', 'API keys', 'Webhooks'],
      ['Imports', 'Reconciliation', 'Erasure'],
      ['Accounts', 'People', 'Audit log'],
    ]);
  });

  it('sees on the Overview which total the chart shows and how the table is broken down, also at first', async () => {
    await results();
    await openOwn('overview');
    const marked = page.locator('main a[aria-current]');
    await link('Campaigns').waitFor();
    await expect.poll(() => marked.allInnerTexts()).toEqual([expect.stringMatching(/^Leads/), 'Pages']);
    await link('Campaigns').click();
    await page.getByRole('link', { name: /^Clients/ }).click();
    await expect.poll(() => marked.allInnerTexts()).toEqual([expect.stringMatching(/^Clients/), 'Campaigns']);
  });
});
