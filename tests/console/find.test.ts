import { givenAccount, givenConnection, givenConversion, givenDelivery, givenManyDeliveries } from '@leadback/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { enterSession, newPage, screens } from './given-screens.ts';

describe('a person who searches in the console', async () => {
  const { browser, console } = await screens();
  // one for all tests: its process has compiled the console when it opens the next screen
  const page = await newPage(browser);
  afterAll(() => page.context().close());
  const troubles = troublesOf(page, console.url);
  await enterSession(page, console, await console.person());

  const givenSale = async (email: string) => {
    const em = console.database.em();
    const account = await givenAccount(em);
    const conversion = await givenConversion(em, {
      account,
      amount: '149.90',
      client: { name: 'Ana Pérez', email, lead: { clickParameters: { gclid: 'EAIaIQobChMI1234' }, consent: true } },
    });
    const connection = await givenConnection(em, { account });
    const { id } = await givenDelivery(em, { connection, conversion, state: 'failed', reason: 'HTTP 400: broken' });
    return { account, conversion, delivery: id };
  };

  it('finds a client by email with the keyboard alone, sees what each platform was told, and shares the link', async () => {
    const { account, conversion, delivery } = await givenSale('ana@example.com');
    await page.goto(`${console.url}/a/${account.id}/find`);
    await page.getByRole('heading', { name: 'What happened to…?' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is called “nobody@example.com”').waitFor();
    await page.getByLabel('Order, email, client or lead reference').fill('ANA@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('EAIaIQobChMI1234').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      expect.stringMatching(/^Lead /),
      'Click',
      'Lead',
      'Client registered',
      `Conversion ${conversion.id}`,
    ]);
    expect(new URL(page.url()).search).toBe(`?client=${conversion.client.id}`);

    const shared = page.url();
    await page.goto(shared);
    await page.getByText('Ana Pérez').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Delivery ${delivery}` }).waitFor();
    await page.getByRole('button', { name: 'Show the payload' }).click();
    const payload = page.getByLabel('What the platform would be told now');
    await payload.waitFor();
    expect(await payload.textContent()).toContain('149.9');
    expect(await payload.textContent()).not.toMatch(/ana|[0-9a-f]{40}/i);
    await page.getByRole('link', { name: 'The whole story of this conversion' }).click();
    await page.getByText('EAIaIQobChMI1234').waitFor();
    expect(new URL(page.url()).search).toBe(`?conversion=${conversion.id}`);
    expect(troubles).toEqual([]);
  });

  it('chooses one of several with the same email, and goes back to them', async () => {
    const { account } = await givenSale('eva@example.com');
    const em = console.database.em();
    await givenConversion(em, {
      account,
      client: { name: 'Eva B', email: 'eva@example.com', externalReference: 'b-7' },
    });
    await page.goto(`${console.url}/a/${account.id}/find`);
    await page.getByLabel('Order, email, client or lead reference').fill('eva@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('2 found').first().waitFor();
    await leaveScreenshot(page, 'console-matches');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Client b-7' }).click();
    await page.getByText('Eva B').waitFor();
    await page.getByRole('button', { name: 'Back to what was found' }).click();
    await page.getByRole('link', { name: 'Client b-7' }).waitFor();
  });

  it('sees the order that was searched for marked, and in view, among all sales of its client', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    const connection = await givenConnection(em, { account });
    await givenManyDeliveries(console.database, { connection, rows: 8, state: 'delivered', reference: 'more-' });
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(`${console.url}/a/${account.id}/find`);
    await page.getByLabel('Order, email, client or lead reference').fill('more-6');
    await page.keyboard.press('Enter');
    const marked = page.locator('li[aria-current="true"]');
    await marked.getByRole('heading', { name: 'Conversion more-6' }).waitFor();
    expect(await marked.count()).toBe(1);
    await expect
      .poll(async () => (await marked.boundingBox())?.y ?? -1)
      .toSatisfy((top: number) => top >= 0 && top < 700);
    expect(await axeFindings(page)).toEqual([]);
    await leaveScreenshot(page, 'console-found-order');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('sees masked data, and that they are, if the role does not see personal data', async () => {
    const { account, conversion } = await givenSale('ana@example.com');
    await enterSession(page, console, await console.person({ role: 'marketer', accounts: [account.id] }));
    await page.goto(`${console.url}/a/${account.id}/find?conversion=${conversion.id}`);
    await page.getByText('Your role does not see personal data').waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('A••• P•••');
    expect(['Pérez', 'ana@', 'EAIaIQobChMI1234'].filter((canary) => text.includes(canary))).toEqual([]);
    expect(await page.getByRole('link', { name: 'Erasure' }).count()).toBe(0);
  });
});
