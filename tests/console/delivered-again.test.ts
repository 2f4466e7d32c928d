import { givenAccount, shared } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenDeliveries, givenWorker } from '../../apps/feedback-worker/test/given-worker.ts';
import { troublesOf } from '../support/given-browser.ts';
import { givenBuiltConsole, newPage, screens } from './given-screens.ts';

const { browser } = await screens();
// a database of its own: the worker delivers all that is due in it
const console = await shared(givenBuiltConsole());
const worker = await shared(givenWorker({ isStarted: false }));
const { pool } = console.database;
worker.startDelivery({ pool, settlingPool: pool });

it('with the keyboard alone, a person signs in, sees what a platform rejected, retries it, and sees it delivered', async () => {
  const sales = givenDeliveries(console.database);
  const account = await givenAccount(console.database.em());
  await worker.behave({ platform: 'meta', answer: 'bad-event' });
  const { id } = await sales.givenDelivery({ account });
  await worker.delivery.takeHints(await sales.parcelsOf([id]));
  await expect.poll(async () => (await sales.stored(id)).state).toBe('failed');

  const person = await console.person({ role: 'marketer', accounts: [account.id] });
  const page = await newPage(browser);
  const troubles = troublesOf(page, console.url);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Goes on with Tab until this has the focus. */
  const focus = async (name: string | RegExp): Promise<void> => {
    const wanted = page.getByRole('button', { name });
    await wanted.waitFor();
    for (let count = 0; count < 60; count += 1) {
      if (await wanted.evaluate((element) => element.matches(':focus'))) return;
      await press('Tab');
    }
    throw new Error(`no Tab reaches ${String(name)}`);
  };

  const goTo = async (screen: string): Promise<void> => {
    await press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(screen);
    await press('Enter');
  };

  await page.goto(console.url);
  await page.getByLabel('Email').waitFor();
  await press('Tab');
  await page.keyboard.type(person.email);
  await press('Tab');
  await page.keyboard.type(person.password);
  await press('Tab');
  await page.keyboard.type(person.code());
  await press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await goTo('undel');
  await page.getByText('Not delivered: 1').waitFor();
  // the platform works again
  await worker.behave({ platform: 'meta', answer: 'ok' });
  await focus('Retry all…');
  await press('Enter');
  await focus(/^Retry 1 · /);
  await press('Enter');
  await page.getByText('Deliveries on their way again: 1.').waitFor();
  await page.getByText('Everything was delivered').waitFor();
  await expect.poll(async () => (await sales.stored(id)).state).toBe('delivered');

  await goTo('deliveries');
  await page.getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
  await press('j', 'Enter');
  await page.getByText('Retry requested').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
  await page.context().close();
});
