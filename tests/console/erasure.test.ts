import { readFile } from 'node:fs/promises';
import { type Account, Client, Erasure } from '@leadback/db';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { receiptSchema } from '@leadback/core/erasure/ask/receipt';
import { eventually, givenAccount, givenConversion, secretsKeys, shared } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenEraser, type SignedIn } from '../../apps/console/test/given-console.ts';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { enterSession, makeOld, newPage, screens } from './given-screens.ts';

const signedReceipt = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() });

const erase = async (page: Page, email: string) => {
  await page.getByLabel('Email of the person').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByLabel('Type the email to confirm').fill(email);
  await page.keyboard.press('Enter');
};

describe('a person who erases somebody in the console', async () => {
  const { browser, console } = await screens();
  await shared(givenEraser(console));
  // one for all tests: its process has compiled the console when it opens the next screen
  const page = await newPage(browser);
  afterAll(() => page.context().close());
  let person: SignedIn;
  beforeEach(async () => {
    person = await console.person();
    await enterSession(page, console, person);
  });
  afterEach(() => page.unrouteAll({ behavior: 'wait' }));

  const givenClientWith = async (email: string) => {
    const account = await givenAccount(console.database.em());
    const conversion = await givenConversion(console.database.em(), { account, client: { name: 'Ana', email } });
    return { account, client: conversion.client.id };
  };

  const givenReceipt = ({ id: accountId }: Account) =>
    eventually(() => console.database.em().findOneOrFail(Erasure, { accountId, state: 'done' }));

  it('counts, types the email again, and downloads a receipt that does not name the person', async () => {
    const { account, client } = await givenClientWith('ana@example.com');
    const troubles = troublesOf(page, console.url);
    await page.goto(`${console.url}/a/${account.id}/erasure`);
    await page.getByText('No receipts yet').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Ana@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('What was delivered to platforms stays there').waitFor();
    await page.getByRole('button', { name: 'Erase…' }).click();
    const confirm = page.getByRole('button', { name: 'Erase for good' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type the email to confirm').fill('Eva@example.com');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type the email to confirm').fill('Ana@example.com');
    await confirm.click();
    await page.getByText('Erased. The receipt is in the list.').waitFor();
    expect(await console.database.em().findOneOrFail(Client, client)).toMatchObject({ contact: null });

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download: Receipt \w{22}$/ }).click(),
    ]);
    const text = await readFile(await saved.path(), 'utf8');
    const signed = signedReceipt.parse(JSON.parse(text));
    expect(receiptSchema.parse(JSON.parse(signed.receipt))).toMatchObject({
      accountId: account.id,
      erased: { clients: 1 },
    });
    expect(text.toLowerCase()).not.toContain('ana@example.com');
    expect(page.url()).not.toContain('ana');

    await page.getByLabel('Email of the person').fill('Ana@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Nobody was found').waitFor();
    expect(troubles).toEqual([]);
  });

  it('has no counts of somebody else while another email is typed', async () => {
    const { account } = await givenClientWith('eva@example.com');
    await page.goto(`${console.url}/a/${account.id}/erasure`);
    await page.getByLabel('Email of the person').fill('eva@example.com');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Erase…' });
    await button.waitFor();
    await leaveScreenshot(page, 'console-erasure-counted');
    expect(await axeFindings(page)).toEqual([]);
    await button.click();
    await page.getByLabel('Type the email to confirm').waitFor();
    await leaveScreenshot(page, 'console-erasure-dialog');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Email of the person').fill('eva@example.co');
    await button.waitFor({ state: 'detached' });
  });

  it('learns that it is done also if it was never in the list as pending', async () => {
    const { account } = await givenClientWith('fast@example.com');
    await page.goto(`${console.url}/a/${account.id}/erasure`);
    await page.getByText('No receipts yet').waitFor();
    await page.route('**/erasures', async (route) => {
      if (route.request().method() === 'GET') await givenReceipt(account);
      await route.continue();
    });
    await erase(page, 'fast@example.com');
    await page.getByText('Erased. The receipt is in the list.').waitFor();
    expect(await page.getByText('Erased. The receipt is in the list.').count()).toBe(1);
  });

  it('sees what a visitor asked for without proof, and erases it after a question', async () => {
    const { account, client } = await givenClientWith('asked@example.com');
    const { lead } = await console.database.em().findOneOrFail(Client, client, { populate: ['lead'] });
    const leadReference = lead.unwrap().reference;
    await askErasure(console.database.pool, erasureKeys(secretsKeys), {
      accountId: account.id,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference },
    });
    await eventually(() => console.database.em().findOneOrFail(Erasure, { accountId: account.id, state: 'asked' }));
    await page.goto(`${console.url}/a/${account.id}/erasure`);
    await page.getByText('Asked for by visitors').waitFor();
    await page.getByRole('button', { name: `Erase… ${leadReference}` }).click();
    await page.getByText('The lead with this reference and all its clients are erased.').waitFor();
    await leaveScreenshot(page, 'console-erasure-asked');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('Erased. The receipt is in the list.').waitFor();
    await page.getByText('Asked for by visitors').waitFor({ state: 'detached' });
    expect(await console.database.em().findOneOrFail(Client, client)).toMatchObject({ contact: null });
  });

  it('gives the second factor again if it is old, and goes on where it was', async () => {
    const { account, client } = await givenClientWith('old@example.com');
    await makeOld(console, person);
    await page.goto(`${console.url}/a/${account.id}/erasure`);
    await erase(page, 'old@example.com');
    await page.getByLabel('Code of your authenticator app').waitFor();
    await console.database.pool.query('update person_session set stepped_up_at = now() where person_id = $1', [
      person.personId,
    ]);
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    expect(await console.database.em().findOneOrFail(Client, client)).toMatchObject({ contact: expect.any(Buffer) });
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('Erased. The receipt is in the list.').waitFor();
  });
});
