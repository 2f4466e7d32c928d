import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { platformSandbox } from '@leadback/platform-sandbox';
import { repeat } from '@leadback/server/app';
import { givenContacts, givenServer, secretsKeys } from '@leadback/testing';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { givenConsole, type SignedIn, type TestConsole } from '../../apps/console/test/given-console.ts';
import { givenIdentityProvider, type IdentityProvider } from '../../apps/console/test/given-identity-provider.ts';
import { builtWebFolder } from '../../apps/console/src/web/web.ts';
import { buildWeb } from '../../scripts/start/data-folder.ts';
import { givenBrowser } from '../support/given-browser.ts';
import { isBundled } from '../support/main-of.ts';

let building: Promise<void> | undefined;

/** The folder of the web application, built from its current sources: once in a process, and by `npm test` before. */
export const builtWeb = async (): Promise<string> => {
  if (!isBundled) await (building ??= buildWeb());
  return builtWebFolder;
};

/** The built console on its real server and an empty database, at a name: browsers have no passkeys for IP addresses. */
export const givenBuiltConsole = async (options: Parameters<typeof givenConsole>[0] = {}): Promise<TestConsole> =>
  givenConsole({ webFolder: await builtWeb(), host: 'localhost', ...options });

interface Screens {
  readonly browser: Browser;
  readonly console: TestConsole;
  /** Whom people may sign in with. At 127.0.0.1: another site, from which no strict cookie is sent. */
  readonly provider: IdentityProvider;
  /** Stands in for all platforms. */
  readonly sandboxUrl: string;
}

let opening: Promise<Screens> | undefined;

const open = async (): Promise<Screens> => {
  const [browser, provider, sandbox] = await Promise.all([
    givenBrowser(),
    givenIdentityProvider(),
    givenServer(platformSandbox()),
    builtWeb(),
  ]);
  const sandboxUrl = sandbox.url;
  const console = await givenBuiltConsole({ provider: provider.options, platformsUrl: sandboxUrl });
  return { browser, console, provider, sandboxUrl };
};

/**
 * A browser and a console: one for all files of a worker, and closed with it, because each takes seconds of a core to start.
 * So each test has accounts and people of its own.
 */
export const screens = (): Promise<Screens> => (opening ??= open());

/** Gives a browser the session of somebody. Its cookie is for TLS, which a browser takes its own machine for. */
const addSession = (page: Page, { url }: TestConsole, person: SignedIn) =>
  page.context().addCookies([
    {
      name: '__Host-leadback',
      value: person.cookie(),
      url: url.replace('http:', 'https:'),
      secure: true,
      sameSite: 'Strict',
    },
  ]);

/** A page of a browser of its own. Close its context. */
export const newPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> =>
  (await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })).newPage();

/** The same with the session of somebody, until the test ends. */
export const pageOf = async (
  browser: Browser,
  console: TestConsole,
  person: SignedIn,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const page = await newPage(browser, options);
  onTestFinished(() => page.context().close());
  await addSession(page, console, person);
  return page;
};

/** The same, as wide as on a desk. */
export const openerOf =
  (browser: Browser, console: TestConsole) =>
  (person: SignedIn, options: BrowserContextOptions = {}): Promise<Page> =>
    pageOf(browser, console, person, { viewport: { width: 1280, height: 900 }, ...options });

/** Gives a page the session of somebody, and leaves nothing of the one before: what it opens next is of this person. */
export const enterSession = async (page: Page, console: TestConsole, person?: SignedIn): Promise<void> => {
  // no screen asks the server in between; another site would get another process
  await page.goto(`${console.url}/favicon.svg`);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await page.context().clearCookies();
  if (person) await addSession(page, console, person);
};

/** Fills in the form to sign in with the right password and code. */
export const signIn = async (page: Page, person: SignedIn): Promise<void> => {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByLabel('Code').fill(person.code());
  await page.keyboard.press('Enter');
};

/** The second factor of a person was given too long ago, from now on. */
export const makeOld = ({ database }: TestConsole, { personId }: SignedIn) =>
  database.pool.query(`update person_session set stepped_up_at = now() - interval '6 minutes' where person_id = $1`, [
    personId,
  ]);

/** What a page sends from now on, in order. */
export const postsOf = (page: Page) => {
  const posts: { readonly path: string; readonly body: unknown }[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    const body: unknown = request.postDataJSON();
    posts.push({ path: new URL(request.url()).pathname.replace(/^\/api/, ''), body });
  });
  return posts;
};

/** The preview that is visible, in the editor of a page. */
export const previewIn = (page: Page): FrameLocator => page.frameLocator('iframe:not([data-loading="true"])');

export const savePage = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();

/** Works on files in the background, as an api does. */
export const givenFileWorker = ({ database: { pool } }: TestConsole): AsyncDisposable => {
  const register = itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts());
  return repeat({
    everyMs: 50,
    round: async () =>
      ((await workOnNextImport(pool, register)) ?? (await workOnNextReconciliation(pool, givenContacts()))) !==
      undefined,
    onFailure: () => {},
  });
};

/** Chooses a CSV file or a workbook to send. */
export const chooseFile = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
