import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { OwnDomain } from '@leadback/db';
import { eventually, givenAccount } from '@leadback/testing';
import { freePort } from '@leadback/testing/stack';
import { expect, inject, it } from 'vitest';
import { givenLanding } from '../../apps/landing/test/given-landing.ts';
import { root } from '../support/code-blocks.ts';

const hasCaddy = spawnSync('caddy', ['version']).status === 0;

const visit = (request: typeof requestHttp, port: number, name: string, path: string) =>
  new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' };
    const tls = { servername: name, rejectUnauthorized: false, agent: false as const };
    const sent = request({ host: '127.0.0.1', port, path, headers: { ...agent, host: name }, ...tls }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    });
    sent.on('error', reject).end();
  });

/** Caddy with deploy/caddy/Caddyfile in front of a landing app on this machine, and with an authority of its own. */
const givenCaddy = async (landing: { readonly port: number; readonly operationsPort: number }) => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'caddy-'));
  const [http, https, health] = [await freePort(), await freePort(), await freePort()];
  const file = readFileSync(join(root, 'deploy/caddy/Caddyfile'), 'utf8')
    .replace('http://landing:9100', `http://127.0.0.1:${landing.operationsPort}`)
    .replaceAll('landing:3000', `127.0.0.1:${landing.port}`)
    .replaceAll(/(api|console):300\d/g, '127.0.0.1:9')
    .replace('127.0.0.1:8405', `127.0.0.1:${health}`)
    // freePort holds the UDP port of the same number
    .replace('servers {', 'servers {\n\t\tprotocols h1 h2');
  await writeFile(join(folder, 'Caddyfile'), file);
  const options = ['local_certs', 'skip_install_trust', 'admin off', `http_port ${http}`, `https_port ${https}`];
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      CADDY_OPTIONS: options.join('\n'),
      LANDING_URL: 'https://go.example',
      API_URL: 'https://api.example',
      CONSOLE_URL: 'https://console.example',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  caddy.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(caddy, 'exit');
  const isUp = eventually(async () => expect((await fetch(`http://127.0.0.1:${health}/`)).status).toBe(200));
  await Promise.race([isUp, ended.then(() => Promise.reject(new Error(`Caddy has ended: ${said}`)))]);
  return {
    visit: (name: string, path: string) => visit(requestHttps, https, name, path),
    visitUnencrypted: (name: string, path: string) => visit(requestHttp, http, name, path),
    async [Symbol.asyncDispose]() {
      caddy.kill();
      await ended;
    },
  };
};

it.runIf(hasCaddy)(
  'Caddy gets a certificate for the domain of an account at its first visit, also while PostgreSQL is down, and for no other name',
  async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const account = await givenAccount(em);
    for (const name of ['go.shop.example', 'go.second.example']) em.create(OwnDomain, { account: account.id, name });
    await em.flush();
    const page = await landing.givenPage({ account, mode: 'direct', targetUrl: 'https://www.shop.example/' });
    await landing.heardOfNews();
    await landing.heardOfNews();
    await using caddy = await givenCaddy(landing);
    const path = `/${page.slug}?gclid=G`;
    const { status, headers } = await caddy.visit('go.shop.example', path);
    expect([status, headers['strict-transport-security']]).toEqual([302, 'max-age=31536000']);
    expect(String(headers['set-cookie'])).toMatch(
      /leadback=\w{22}\.\d{10}; [^,]*Domain=shop\.example; Path=\/; Secure/,
    );
    landing.loseDatabase();
    expect((await caddy.visit('go.second.example', path)).status).toBe(302);
    await expect(caddy.visit('stranger.example', path)).rejects.toThrow('alert internal error');
    // the host of the installation needs no permission
    expect((await caddy.visit('go.example', path)).status).toBe(302);
    expect(await caddy.visitUnencrypted('go.shop.example', path)).toMatchObject({
      status: 308,
      headers: { location: `https://go.shop.example${path}` },
    });
  },
);
