import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Leadback, clickParameterNames, leadOfRequest, type VisitorOptions } from '@leadback/sdk';
import { clickIdNames } from '@leadback/domain';
import { findInterpreter, freePort } from '@leadback/testing/stack';
import { eventually, shared } from '@leadback/testing';
import { serve } from '@leadback/server/http';
import express from 'express';
import { describe, expect, inject, it } from 'vitest';
import { givenApi } from '../../apps/api/test/given-api.ts';
import { givenPartner } from '../support/given-partner.ts';
import { codeBlocks, root } from '../support/code-blocks.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36';

interface Site extends AsyncDisposable {
  readonly url: string;
  /** What its program has printed. */
  readonly printed?: () => string;
}
interface ApiAccess {
  readonly key: string;
  readonly apiUrl: string;
}

/** The page of an Express app that keeps clicks. */
const expressSite = async ({ key, apiUrl }: ApiAccess, options?: VisitorOptions): Promise<Site> => {
  const leadback = new Leadback({ apiKey: key, baseUrl: apiUrl });
  const app = express();
  app.set('trust proxy', 1);
  app.use(async (request, response) => {
    const setCookie = await leadback.registerLeadOf(request, options);
    if (setCookie !== undefined) response.append('Set-Cookie', setCookie);
    response.send('page');
  });
  const port = await freePort();
  const server = await serve(app, { host: '127.0.0.1', port, express: app });
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

const samples = {
  PHP: {
    file: 'landing.php',
    library: 'leadback.php',
    program: 'php',
    args: (port: number) => ['-S', `127.0.0.1:${port}`, 'landing.php'],
  },
  Python: {
    file: 'landing.py',
    library: 'leadback.py',
    program: 'python3',
    args: (port: number) => ['landing.py', `${port}`],
  },
} as const;

const served = async (program: string, args: readonly string[], port: number, folder: string, access: ApiAccess) => {
  const env = {
    ...process.env,
    LEADBACK_KEY: access.key,
    LEADBACK_URL: access.apiUrl,
    PORT: `${port}`,
    PYTHONDONTWRITEBYTECODE: '1',
    // where the sample in PHP notes that Leadback is down
    TMPDIR: folder,
  };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => printed.push(text.toString()));
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    expect((await fetch(url)).status).toBe(200);
  });
  return {
    url,
    printed: () => printed.join(''),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
};

/** The sample of a language, served as a reader would serve it. */
const sampleSite = async (language: keyof typeof samples, access: ApiAccess): Promise<Site> => {
  const { file, library, program, args } = samples[language];
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'own-page-'));
  await copyFile(join(root, 'apps/api/src/documentation/samples', file), join(folder, file));
  await copyFile(join(root, 'apps/api/src/documentation/sdk', library), join(folder, library));
  const port = await freePort();
  return served(await findInterpreter(program), args(port), port, folder, access);
};

/** The sample of the guide. */
const guideSite = async (access: ApiAccess): Promise<Site> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'own-page-'));
  const code = codeBlocks('docs/clicks.md').find(({ name }) => name === 'landing.mjs')?.code ?? '';
  await writeFile(join(folder, 'landing.mjs'), code);
  await mkdir(join(folder, 'node_modules/@leadback'), { recursive: true });
  await symlink(join(root, 'packages/sdk'), join(folder, 'node_modules/@leadback/sdk'));
  await symlink(join(root, 'tests/node_modules/express'), join(folder, 'node_modules/express'));
  return served(process.execPath, ['--conditions=leadback-source', 'landing.mjs'], await freePort(), folder, access);
};

const sites = {
  Express: guideSite,
  PHP: (access: ApiAccess) => sampleSite('PHP', access),
  Python: (access: ApiAccess) => sampleSite('Python', access),
};

const visit = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { 'user-agent': chrome, ...headers } });

/** A site whose first request is over: on a busy machine, it may take longer than visitors wait. */
const warmSite = async (language: keyof typeof sites, access: ApiAccess): Promise<Site> => {
  const site = await sites[language](access);
  await eventually(async () => {
    const { headers } = await visit(`${site.url}/?gclid=first`);
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^leadback=/)]);
  });
  return site;
};

describe("a page of the advertiser's own", async () => {
  const api = await shared(givenApi());
  const givenAdvertiser = async () => {
    const apiUrl = `http://127.0.0.1:${api.port}/api/v1`;
    return { apiUrl, ...(await givenPartner({ database: api.database, apiUrl })) };
  };
  const leadsOf = async (accountId: number) => {
    const sql = `select click_parameters as clicks, referrer, user_agent as "userAgent", landing_url as "landingUrl", global_privacy_control as gpc
                 from lead where account_id = $1 order by id`;
    return (await api.database.pool.query<object>(sql, [accountId])).rows;
  };

  it.each(['Express', 'PHP', 'Python'] as const)(
    'in %s keeps the click of an ad in the browser, once, and no other visit',
    async (language) => {
      const { account, ...access } = await givenAdvertiser();
      await using site = await warmSite(language, access);
      const before = (await leadsOf(account.id)).length;
      const headers = {
        referer: 'https://www.google.com/',
        cookie: 'session=secret; _fbp=fb.1.1700000000000.1234567890; _ttp=01%20ABC',
        'sec-gpc': '1',
      };
      const path = '/mates?gclid=Cj0KCQiA7NO7BhDsARIsADg&utm_campaign=spring';
      const first = await visit(site.url + path, headers);
      expect(await first.text()).not.toBe('');
      const [cookie = '', ...others] = first.headers.getSetCookie();
      expect([cookie, others]).toEqual([
        expect.stringMatching(/^leadback=[0-9A-Za-z]{22}\.\d+; Max-Age=77\d{5}; Path=\/; SameSite=Lax$/),
        [],
      ]);
      const again = await visit(site.url + path, headers);
      const [pair = ''] = cookie.split(';');
      expect(again.headers.getSetCookie()).toEqual([expect.stringContaining(pair)]);
      expect((await visit(`${site.url}/mates?page=2`)).headers.getSetCookie()).toEqual([]);
      expect((await visit(`${site.url}${path}`, {}, 'POST')).headers.getSetCookie()).toEqual([]);
      const leads = await leadsOf(account.id);
      expect(leads.slice(before)).toEqual([
        {
          clicks: {
            gclid: 'Cj0KCQiA7NO7BhDsARIsADg',
            utm_campaign: 'spring',
            _fbp: 'fb.1.1700000000000.1234567890',
            _ttp: '01 ABC',
          },
          referrer: 'https://www.google.com/',
          userAgent: chrome,
          landingUrl: site.url + path,
          gpc: true,
        },
      ]);
    },
  );

  it.each(['Express', 'PHP', 'Python'] as const)(
    'in %s sends what the consent banner has stored, and the newest word counts for the click',
    async (language) => {
      const { account, ...access } = await givenAdvertiser();
      await using site = await warmSite(language, access);
      const consents = async () => {
        const sql = `select consent from lead where account_id = $1 and click_parameters ? 'ttclid'`;
        return (await api.database.pool.query<{ consent: boolean | null }>(sql, [account.id])).rows;
      };
      for (const [cookie, consent] of [
        ['a=1', null],
        ['consent=granted', true],
        ['a=1', true],
        ['a=1; consent=denied', false],
        ['consent=maybe', false],
      ] as const) {
        expect((await visit(`${site.url}/?ttclid=E.C.P.v1`, { cookie })).status).toBe(200);
        expect([cookie, await consents()]).toEqual([cookie, [{ consent }]]);
      }
    },
  );

  it.each(['Express', 'PHP', 'Python'] as const)(
    'in %s registers nothing for a page that is loaded in advance, and for images',
    async (language) => {
      const { account, ...access } = await givenAdvertiser();
      await using site = await sites[language](access);
      const before = (await leadsOf(account.id)).length;
      for (const [path, headers] of [
        ['/', { 'sec-purpose': 'prefetch;prerender' }],
        ['/', { purpose: 'prefetch' }],
        ['/', { 'sec-fetch-dest': 'image' }],
        ['/logo.png', {}],
      ] as const)
        expect((await visit(`${site.url}${path}?gclid=Cj0KCQ`, headers)).headers.getSetCookie()).toEqual([]);
      expect((await leadsOf(account.id)).length).toBe(before);
    },
  );

  it.each(['Express', 'PHP', 'Python'] as const)('in %s logs what was accepted, but not as sent', async (language) => {
    const { account: _, ...access } = await givenAdvertiser();
    await using site = await warmSite(language, access);
    await visit(`${site.url}/?gclid=Cj0KCQ`, { 'user-agent': 'WhatsApp/2.23.20.0' });
    await eventually(() => {
      expect(site.printed?.()).toMatch(/not-usable\W.*userAgent/);
      return Promise.resolve();
    });
  });

  it.each(['Express', 'PHP', 'Python'] as const)(
    'in %s is shown although Leadback is down, at once after the first visitor, and again as soon as it is up',
    async (language) => {
      let isDown = true;
      const waits: number[] = [];
      const { account: _, key, apiUrl } = await givenAdvertiser();
      const proxy = express().use(async (request, response) => {
        if (isDown) return void waits.push(performance.now());
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(Buffer.from(chunk));
        const { url, method } = request;
        const headers = { 'content-type': 'application/json', 'x-api-key': request.get('x-api-key') ?? '' };
        const reply = await fetch(new URL(url, apiUrl), { method, headers, body: Buffer.concat(chunks) });
        response
          .status(reply.status)
          .type('json')
          .send(await reply.text());
      });
      const port = await freePort();
      await using _server = await serve(proxy, { host: '127.0.0.1', port, express: proxy });
      await using site = await sites[language]({ key, apiUrl: `http://127.0.0.1:${port}/api/v1` });
      const took: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        const start = performance.now();
        const { status, headers } = await visit(`${site.url}/?gclid=Cj0KCQ${count}`);
        took.push(performance.now() - start);
        expect([status, headers.getSetCookie().join('')]).toEqual([200, expect.not.stringContaining('leadback=')]);
      }
      expect(waits).toHaveLength(1);
      expect(Math.max(...took)).toBeLessThan(2_000);
      isDown = false;
      await eventually(async () => {
        expect((await visit(`${site.url}/?gclid=Cj0KCQ`)).headers.getSetCookie().join('')).toContain('leadback=');
      });
    },
  );

  it.each(['Express', 'PHP', 'Python'] as const)('in %s is shown although nothing is at the URL', async (language) => {
    await using site = await sites[language]({ key: 'lb_live_x', apiUrl: 'http://127.0.0.1:9/api/v1' });
    expect((await visit(`${site.url}/?gclid=Cj0KCQ`)).status).toBe(200);
  });

  it('in PHP is shown although its settings are missing or wrong', async () => {
    for (const access of [
      { key: '', apiUrl: '' },
      { key: 'lb live x', apiUrl: 'api.example.com' },
    ]) {
      await using site = await sites.PHP(access);
      const { status, headers } = await visit(`${site.url}/?gclid=Cj0KCQ`);
      expect([status, headers.getSetCookie()]).toEqual([200, []]);
      await expect.poll(() => site.printed?.()).toContain('Leadback: ');
    }
  });

  it('in Express loses no click while Leadback is down: the next page view registers it, with its time', async () => {
    const { account, key, apiUrl } = await givenAdvertiser();
    const before = (await leadsOf(account.id)).length;
    const clickedFrom = Math.floor(Date.now() / 1_000) * 1_000;
    await using down = await expressSite({ key, apiUrl: 'http://127.0.0.1:9/api/v1' });
    const url = '/mates?gclid=Cj0KCQiA-waits&utm_campaign=d%C3%ADa%20uno';
    const [waiting = '', ...others] = (await visit(down.url + url)).headers.getSetCookie();
    expect([waiting, others]).toEqual([
      expect.stringMatching(/^leadback_click=\d{10}%2Fmates[^;]*; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
      [],
    ]);
    const [pair = ''] = waiting.split(';');
    await using up = await expressSite({ key, apiUrl });
    const next = await visit(`${up.url}/cart`, { cookie: `session=1; ${pair}` });
    const [kept = ''] = next.headers.getSetCookie();
    expect(kept).toMatch(/^leadback=/);
    const { rows } = await api.database.pool.query<{ created_at: string; landing_url: string }>(
      `select created_at, landing_url from lead where account_id = $1 order by id offset $2`,
      [account.id, before],
    );
    expect(rows).toMatchObject([{ landing_url: `${up.url}/mates?gclid=Cj0KCQiA-waits&utm_campaign=d%C3%ADa+uno` }]);
    expect(Math.abs(Date.parse(rows[0]?.created_at ?? '') - clickedFrom)).toBeLessThan(60_000);
    // it is registered
    const later = await visit(`${up.url}/cart`, { cookie: `${pair}; ${kept.split(';')[0]}` });
    expect(later.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['the visitor denies consent', {}, { consent: { adUserData: 'denied' } }],
    ['the browser sends Global Privacy Control', { 'sec-gpc': '1' }, {}],
  ] as const)('in Express lets no browser keep a click that waits if %s', async (_why, headers, options) => {
    await using site = await expressSite({ key: 'lb_live_x', apiUrl: 'http://127.0.0.1:9/api/v1' }, options);
    expect((await visit(`${site.url}/?gclid=Cj0KCQ`, headers)).headers.getSetCookie()).toEqual([]);
  });

  it('in Express lets no browser keep a click that Leadback refuses, and makes nobody else wait less', async () => {
    const { apiUrl } = await givenAdvertiser();
    const errors: unknown[] = [];
    await using site = await expressSite({ key: 'lb_live_x', apiUrl }, { onError: (error) => errors.push(error) });
    for (const id of ['1', '2'])
      expect((await visit(`${site.url}/?gclid=Cj0KCQ${id}`)).headers.getSetCookie()).toEqual([]);
    expect(errors).toMatchObject([{ status: 401 }, { status: 401 }]);
  });

  it('in Express waits for Leadback no longer than it says, and tells why a click waits', async () => {
    const errors: unknown[] = [];
    const silent = express().use(() => {});
    const port = await freePort();
    await using _server = await serve(silent, { host: '127.0.0.1', port, express: silent });
    const options = { waitMaxMs: 100, onError: (error: unknown) => errors.push(error) };
    await using site = await expressSite({ key: 'lb_live_x', apiUrl: `http://127.0.0.1:${port}` }, options);
    for (const id of ['1', '2']) expect((await visit(`${site.url}/?gclid=Cj0KCQ${id}`)).status).toBe(200);
    expect(errors).toMatchObject([{ name: 'LeadbackError', code: 'timeout' }]);
  });

  it.each([
    ['www.shop.example', '10.0.0.1:8080', 'www.shop.example'],
    ['www.shop.example', 'www.shop.example', 'www.shop.example'],
    ['localhost', 'localhost:8080', 'localhost:8080'],
    ['[::1]', '[::1]:8080', '[::1]:8080'],
    [undefined, 'www.shop.example', 'www.shop.example'],
  ])('in Express sends what the settings of its proxy say: %s %s', (hostname, host, sent) => {
    const request = {
      method: 'GET',
      protocol: 'https',
      hostname,
      originalUrl: '/?fbclid=IwAR0',
      ip: '203.0.113.7',
      headers: { 'user-agent': chrome, host },
    };
    expect(leadOfRequest(request)).toEqual({
      url: `https://${sent}/?fbclid=IwAR0`,
      ip: '203.0.113.7',
      userAgent: chrome,
      cookies: {},
      globalPrivacyControl: false,
    });
  });

  it.each([
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }, '/?gclid=1'],
    ['an image', { 'sec-fetch-dest': 'image' }, '/?gclid=1'],
    ['a file', {}, '/favicon.ico?gclid=1'],
    ['a click that waits and is none', { cookie: 'leadback_click=//other.example' }, '/'],
    ['a page view without a click', {}, '/?q=gclid&page=2'],
    ['a path with a name of a click id', {}, '/gclid=1'],
  ])('in Express registers nothing for %s', (_what, headers, originalUrl) => {
    expect(
      leadOfRequest({ method: 'GET', protocol: 'https', hostname: 'shop.example', originalUrl, headers }),
    ).toBeUndefined();
  });

  it('knows all click ids of Leadback', () => {
    expect(clickParameterNames.filter((name) => !name.startsWith('gad_')).toSorted()).toEqual(
      [...clickIdNames].toSorted(),
    );
  });
});
