import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Snippets, snippetsOf } from '@leadback/core/pages/script';
import { type LandingPage, Lead } from '@leadback/db';
import { findLead, givenLandingPage, givenServer } from '@leadback/testing';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { givenBrowser } from './given-browser.ts';
import { givenStack } from './given-stack.ts';

/** With a field that a server could fill, too. */
export const form = `<form action="/thanks"><input type="hidden" name="serviceId"><button>Sign up</button></form>`;

export interface SiteOptions {
  readonly account?: NonNullable<Parameters<typeof givenLandingPage>[1]>['account'];
  /** What a page of the site is: with the script as operators get it. */
  readonly html?: (page: Snippets & Pick<LandingPage, 'slug'>, path: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sites of advertisers with the script, the landing app which serves it, and a browser. */
export const givenSites = async () => {
  const ours = new AsyncDisposableStack();
  const stack = ours.use(await givenStack());
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const [server, browser] = await Promise.all([
    givenServer((request, response) => {
      const answer = answers.get(request.headers.host ?? '');
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    }),
    givenBrowser(),
    stack.start('landing'),
  ]);
  ours.use(server);
  ours.defer(() => browser.close());
  const { port } = new URL(server.url);

  const givenSite = async ({ account, html = ({ snippet }) => snippet + form, headers = {} }: SiteOptions = {}) => {
    const name = `shop-${answers.size}.localhost`;
    const origin = `http://www.${name}:${port}`;
    const landingPage = await givenLandingPage(stack.database.em(), {
      ...(account && { account }),
      mode: 'script',
      origins: [origin],
      targetUrl: `${origin}/`,
    });
    const { slug } = landingPage;
    const snippets = snippetsOf(stack.landingUrl, { slug, waitsForConsent: false });
    answers.set(new URL(origin).host, ({ url = '' }, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      response.end(`<!doctype html><title>Shop</title>${html({ ...snippets, slug }, url)}`);
    });
    return {
      name,
      origin,
      slug,
      ...snippets,
      url: (path: string) => origin + path,
      leads: async () => {
        const em = stack.database.em();
        const leads = await em.find(Lead, { landingPage: landingPage.id }, { orderBy: { id: 'asc' } });
        return Promise.all(leads.map(({ reference }) => findLead(em.fork(), reference)));
      },
    };
  };

  return {
    stack,
    givenSite,
    /** Opens a window of a visitor without cookies. */
    open: async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext(options);
      return {
        context,
        page: await context.newPage(),
        [Symbol.asyncDispose]: () => context.close(),
      };
    },
    [Symbol.asyncDispose]: () => ours.disposeAsync(),
  };
};

/** The reference that the script has, once what it sends is answered. */
export const referenceOn = (page: Page): Promise<unknown> => page.evaluate('leadback.reference()');

/** What the fields of a page have. */
export const fieldsOn = (page: Page): Promise<unknown> =>
  page.evaluate(`Array.from(document.querySelectorAll('input'), ({ value }) => value)`);

/** What `keptIn` finds where nothing is kept. */
export const nothingKept = { cookies: [], storage: [0, 0] };

/** Everything that the script keeps in a browser. */
export const keptIn = async (page: Page): Promise<unknown> => ({
  cookies: (await page.context().cookies()).map(({ name }) => name),
  storage: await page.evaluate('[localStorage.length, sessionStorage.length]'),
});

/** Counts the reports of the script in all windows of a visitor. */
export const reportsIn = (context: BrowserContext): { readonly bodies: string[] } => {
  const bodies: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST') bodies.push(request.postData() ?? '');
  });
  return { bodies };
};
