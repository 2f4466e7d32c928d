import { openDatabase } from '@leadback/db';
import { invitePerson } from '@leadback/core/people/invitations';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { givenBrowser } from '../support/given-browser.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

const replySchema = z.object({ status: z.number(), body: z.record(z.string(), z.unknown()) });
const csrfOf = ({ body }: z.infer<typeof replySchema>) => z.string().parse(body['csrf']);

describe('a session of the console in a browser', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([givenStack(), givenBrowser()]);
    await stack.start('console');
  });
  afterAll(() => Promise.all([browser.close(), stack[Symbol.asyncDispose]()]));

  it('begins with an invitation and stays in a cookie that scripts cannot read, also on loopback without TLS', async () => {
    await using database = await openDatabase({ url: stack.database.url, applicationName: 'test' });
    const wanted = { email: 'ana@example.com', role: 'admin', accountIds: [], actor: 'test' } as const;
    const { token } = await invitePerson(database.em(), wanted);
    const page = await browser.newPage();
    await page.goto(`${stack.consoleUrl}/`);
    const request = async (path: string, body?: unknown, csrf = '') =>
      replySchema.parse(
        await page.evaluate(
          async ([url, text, header]) => {
            const headers = { 'content-type': 'application/json', 'x-leadback-csrf': header };
            const response = await fetch(url, text === '' ? {} : { method: 'POST', headers, body: text });
            return { status: response.status, body: await response.json() };
          },
          [`/api${path}`, body === undefined ? '' : JSON.stringify(body), csrf] as const,
        ),
      );

    const before = csrfOf(await request('/session'));
    const chosen = await request('/invitation/password', { token, password: 'a password for the test' }, before);
    const secret = Secret.fromBase32(z.string().parse(chosen.body['secret']));
    const code = new TOTP({ secret }).generate();
    expect(await request('/invitation/accept', { token, code }, before)).toMatchObject({ status: 200 });

    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: '__Host-leadback',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
      expires: -1,
    });
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.reload();
    const session = await request('/session');
    expect(session.body).toMatchObject({ person: { email: wanted.email, role: 'admin' } });
    expect(await request('/session/sign-out', {}, csrfOf(session))).toMatchObject({
      status: 200,
      body: { person: null },
    });
    // what is left says that somebody has signed in here, and opens nothing
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['__Host-leadback-browser']);
  });
});
