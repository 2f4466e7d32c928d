import { eventually, givenAccount, givenServer, givenWebhook, shared } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { givenWorker } from '../../apps/feedback-worker/test/given-worker.ts';
import { troublesOf } from '../support/given-browser.ts';
import { givenBuiltConsole, newPage, screens, signIn } from './given-screens.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('webhooks in the console, from the browser to the receiver', async () => {
  const { browser } = await screens();
  // a database of its own: the worker delivers all that is due in it
  const console = await shared(givenBuiltConsole());
  let status = 204;
  const received: Received[] = [];
  const receiver = await shared(
    givenServer((request, response) => {
      void request.toArray().then((chunks) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        received.push({ headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(status).end();
      });
    }),
  );
  const worker = await shared(givenWorker({ allowLoopback: true, isStarted: false }));
  const { pool } = console.database;
  worker.startDelivery({ pool, settlingPool: pool });

  /** A page of somebody who has signed in. */
  const signedIn = async (person: SignedIn, path: string): Promise<Page> => {
    const page = await newPage(browser);
    onTestFinished(() => page.context().close());
    await page.goto(`${console.url}${path}`);
    await signIn(page, person);
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    return page;
  };
  const audited = async (account: number) => {
    const { rows } = await console.database.pool.query<{ actor: string; action: string }>(
      'select actor, action from audit_entry where account_id = $1 order by id',
      [account],
    );
    return rows;
  };
  /** Throws if the signature is not of this secret. */
  const isSigned = (secret: string, { headers, body }: Received): boolean =>
    new Webhook(secret).verify(body, headers) !== undefined;

  it('a partner adds a webhook, sees a test event rejected and accepted, changes the secret, and deletes it', async () => {
    const account = await givenAccount(console.database.em());
    const person = await console.person({ role: 'partner-admin', accounts: [account.id] });
    const page = await signedIn(person, `/a/${account.id}/webhooks`);
    const troubles = troublesOf(page, console.url);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const secretShown = async () => {
      const secret = await page.getByLabel('Secret', { exact: true }).textContent();
      await button('I have stored it').click();
      return secret ?? '';
    };

    await button('Add webhook').click();
    await page.getByLabel('URL').fill('https://10.1.2.3/hook');
    await button('Add').click();
    await page.getByText('url: the host is or resolves to an address that is not public').waitFor();
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    await button('Add').click();
    const secret = await secretShown();

    const { host } = new URL(receiver.url);
    await page.getByRole('heading', { name: host }).waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
    // its URL has to answer a signed request before it gets anything else
    const unverified = 'select from platform_connection where account_id = $1 and verify_at is not null';
    await eventually(async () => {
      expect((await console.database.pool.query(unverified, [account.id])).rowCount).toBe(0);
    });
    status = 503;
    await button('Send test event').click();
    await page.getByRole('dialog').getByText('HTTP 503').first().waitFor();
    // the page has read that it is sent again much later
    const due = (time: string) =>
      console.database.asOwner(`update delivery_due set not_before = ${time} where account_id = $1`, [account.id]);
    await due(`now() + interval '1 hour'`);
    await page.waitForResponse(async (response) => (await response.text()).includes('"nextAttemptAt":"'));
    await button('Close').click();
    status = 204;
    await button('Send test event').click();
    await page.getByRole('dialog').getByText('HTTP 204').waitFor();
    expect(received.at(-1)).toSatisfy((one: Received) => isSigned(secret, one));
    await button('Send again').click();
    await page.getByRole('dialog').getByText('HTTP 204').nth(1).waitFor();
    await page.keyboard.press('Escape');

    await button('More').click();
    await button('New secret…').click();
    await button('Make a new secret').click();
    const rotated = await secretShown();
    await button('Send test event').click();
    await page.getByRole('dialog').getByText('HTTP 204').waitFor();
    for (const one of [secret, rotated]) expect(received.at(-1)).toSatisfy((last: Received) => isSigned(one, last));
    await page.keyboard.press('Escape');

    await button('More').click();
    await button('Pause').click();
    await page.getByText('This webhook was paused by a person.').waitFor();
    expect(await button('Send test event').isDisabled()).toBe(true);
    await button('Resume').click();
    await page.getByText('This webhook was paused by a person.').waitFor({ state: 'detached' });

    await button('More').click();
    await button('Delete…').click();
    await page.getByLabel(`To confirm, type ${host}`).fill('another.example');
    expect(await button('Delete webhook').isDisabled()).toBe(true);
    await page.getByLabel(`To confirm, type ${host}`).fill(host);
    await page.keyboard.press('Enter');
    await page.getByText('No webhooks').waitFor();

    const actions = ['create', 'test', 'test', 'retry', 'rotate-secret', 'test', 'pause', 'resume', 'delete'];
    expect(await audited(account.id)).toEqual(
      actions.map((action) => ({ actor: person.email, action: `webhook.${action}` })),
    );
    // the URL that was refused
    expect(troubles).toEqual([expect.stringContaining('400')]);
  });

  it('somebody who may only read is offered no change', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    const { id } = await givenWebhook(em, { account, url: 'https://shop.example/hook', state: 'paused' });
    const person = await console.person({ role: 'partner-viewer', accounts: [account.id] });
    const page = await signedIn(person, `/a/${account.id}/webhooks`);
    await page.getByRole('link', { name: 'shop.example' }).click();
    await page.getByText('This webhook was paused by a person.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/a/${account.id}/webhooks/${id}`);
    const main = page.getByRole('main');
    await main.getByText('Nothing was sent yet').waitFor();
    expect(await main.getByRole('button').allTextContents()).toEqual(['']);
  });
});
