import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Leadback, clickParameterNames, leadOfRequest, type VisitorOptions } from '@leadback/sdk';
import { clickIdNames } from '@leadback/domain';
import { findInterpreter, freePort } from '@leadback/testing/stack';
import { eventually, shared } from '@leadback/testing';
import { serve } from '@leadback/server/http';
import express from 'express';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from '../../apps/api/test/given-api.ts';
import { givenPartner } from '../support/given-partner.ts';
import { root } from '../support/code-blocks.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36';

interface Site extends AsyncDisposable {
  readonly url: string;
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

/** The sample of a language, served as a reader would serve it. */
const sampleSite = async (language: keyof typeof samples, { key, apiUrl }: ApiAccess): Promise<Site> => {
  const { file, library, program, args } = samples[language];
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'own-page-'));
  await copyFile(join(root, 'apps/api/src/documentation/samples', file), join(folder, file));
  await copyFile(join(root, 'apps/api/src/documentation/sdk', library), join(folder, library));
  const port = await freePort();
  const env = { ...process.env, LEADBACK_KEY: key, LEADBACK_URL: apiUrl, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(await findInterpreter(program), args(port), { cwd: folder, env, stdio: 'ignore' });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    expect((await fetch(url)).status).toBe(200);
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
};

const sites = {
  Express: expressSite,
  PHP: (access: ApiAccess) => sampleSite('PHP', access),
  Python: (access: ApiAccess) => sampleSite('Python', access),
};

const visit = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { 'user-agent': chrome, ...headers } });

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
      await using site = await sites[language](access);
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
        expect.stringMatching(/^leadback=[0-9A-Za-z]{22}\.\d+; Max-Age=7776000; Path=\/; SameSite=Lax$/),
        [],
      ]);
      const again = await visit(site.url + path, headers);
      expect(again.headers.getSetCookie()).toEqual([cookie]);
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

  it.each(['Express', 'PHP', 'Python'] as const)('in %s is shown although Leadback is down', async (language) => {
    await using site = await sites[language]({ key: 'lb_live_x', apiUrl: 'http://127.0.0.1:9/api/v1' });
    const { status, headers } = await visit(`${site.url}/?gclid=Cj0KCQ`);
    expect([status, headers.getSetCookie()]).toEqual([200, []]);
  });

  it('in Express waits for Leadback no longer than it says, and tells why a click is lost', async () => {
    const errors: unknown[] = [];
    const silent = express().use(() => {});
    const port = await freePort();
    await using _server = await serve(silent, { host: '127.0.0.1', port, express: silent });
    const options = { waitMaxMs: 100, onError: (error: unknown) => errors.push(error) };
    await using site = await expressSite({ key: 'lb_live_x', apiUrl: `http://127.0.0.1:${port}` }, options);
    expect((await visit(`${site.url}/?gclid=Cj0KCQ`)).status).toBe(200);
    expect(errors.map((error) => z.object({ name: z.string() }).parse(error).name)).toEqual(['TimeoutError']);
  });

  it('in Express sends what the settings of its proxy say, and the consent of the visitor', () => {
    const request = {
      method: 'GET',
      protocol: 'https',
      host: 'www.shop.example',
      originalUrl: '/?fbclid=IwAR0',
      ip: '203.0.113.7',
      headers: { 'user-agent': chrome },
    };
    expect(leadOfRequest(request)).toEqual({
      url: 'https://www.shop.example/?fbclid=IwAR0',
      ip: '203.0.113.7',
      userAgent: chrome,
      cookies: {},
      globalPrivacyControl: false,
    });
  });

  it.each([
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }, '/?gclid=1'],
    ['an image', { 'sec-fetch-dest': 'image' }, '/?gclid=1'],
    ['a page view without a click', {}, '/?q=gclid&page=2'],
    ['a path with a name of a click id', {}, '/gclid=1'],
  ])('in Express registers nothing for %s', (_what, headers, originalUrl) => {
    expect(
      leadOfRequest({ method: 'GET', protocol: 'https', host: 'shop.example', originalUrl, headers }),
    ).toBeUndefined();
  });

  it('knows all click ids of Leadback', () => {
    expect(clickParameterNames.filter((name) => !name.startsWith('gad_')).toSorted()).toEqual(
      [...clickIdNames].toSorted(),
    );
  });
});
