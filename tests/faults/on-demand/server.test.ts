import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addSettings, givenClone } from '../../support/containers.ts';

const testMs = 1_800_000;
const hosts = ['go', 'api', 'console'].map((name) => `${name}.leadback.test`);

// there is no DNS for these names, and no public authority: Caddy's own, which the operator trusts
const overlay = `services:
  caddy:
    networks:
      platforms: { aliases: [${hosts.join(', ')}] }
      visitors:
      partners:
  operator:
    environment: { NODE_EXTRA_CA_CERTS: /authority/ca.pem }
    volumes: ['./authority:/authority:ro']
`;

describe('docs/self-host.md, on a container engine', () => {
  let folder: string;
  const run = (file: string, ...words: readonly string[]) =>
    spawnSync(file, words, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, COMPOSE_PROJECT_NAME: 'leadback-containers' },
    });
  const compose = (...words: readonly string[]) => {
    const { status, stdout, stderr } = run('docker', 'compose', '--ansi', 'never', ...words);
    if (status !== 0) throw new Error(`${stdout}${stderr}`.slice(-3_000));
    return stdout;
  };
  const backup = (...words: readonly string[]) => compose('run', '--rm', '-T', 'backup', ...words);
  const operate = (...words: readonly string[]): unknown =>
    JSON.parse(compose('run', '--rm', '-T', 'operator', ...words, '--json'));
  const up = () => compose('up', '--detach', '--wait', '--wait-timeout', '300', '--no-build');
  const accounts = () =>
    z
      .array(z.object({ name: z.string() }))
      .parse(operate('account', 'list'))
      .map(({ name }) => name);
  const git = (...words: readonly string[]) =>
    run('git', '-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words);

  beforeAll(async () => {
    folder = await givenClone('leadback.test');
    await writeFile(join(folder, 'overlay.yml'), overlay);
    await addSettings(
      folder,
      'CADDY_OPTIONS=local_certs\nPOSTGRES_SHARED_BUFFERS=256MB\nPLATFORM_SANDBOX_URL=http://sandbox:3003\nCOMPOSE_PROFILES=sandbox\nCOMPOSE_FILE=docker-compose.yml:deploy/compose/server.yml:overlay.yml\n',
    );
    run('mkdir', 'authority');
    await writeFile(join(folder, 'authority', 'ca.pem'), '');
    compose('--profile', '*', 'down', '--volumes', '--remove-orphans');
    compose('--profile', '*', 'build');
    up();
    await writeFile(
      join(folder, 'authority', 'ca.pem'),
      compose('exec', '-T', 'caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt'),
    );
  }, testMs);
  afterAll(() => void compose('--profile', '*', 'down', '--volumes', '--remove-orphans'), testMs);

  it('answers at three host names over TLS, and nowhere else', async () => {
    const ca = readFileSync(join(folder, 'authority', 'ca.pem'));
    const statusOf = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', servername: host, headers: { host }, path: '/', ca }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on('error', reject).end();
      });
    expect(await Promise.all(hosts.map(statusOf))).toEqual([404, 404, 200]);
    await expect(statusOf('other.leadback.test')).rejects.toThrow(/alert/);
    for (const port of [3000, 3001, 3004])
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  });

  it(
    'prints a link for the first administrator, and doctor says what is still missing',
    async () => {
      expect(operate('user', 'invite', '--email', 'you@example.com', '--role', 'admin')).toMatchObject({
        url: expect.stringMatching(/^https:\/\/console\.leadback\.test\/invitation#/),
      });
      const findings = z.array(z.object({ check: z.string(), state: z.string() })).parse(operate('doctor'));
      const missing = new Set(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check));
      missing.delete('platform versions');
      expect(missing).toEqual(new Set(['backups', 'copy of SECRETS_KEY', 'alerts', 'administrators']));
    },
    testMs,
  );

  it(
    'takes a backup by itself, restores it into an empty database, and puts it in the place of the database',
    () => {
      operate('account', 'create', '--name', 'Before');
      backup('take');
      expect(backup('check')).toMatch(/restored leadback-.* into an empty database in \d+ s: 1 accounts/);
      operate('account', 'create', '--name', 'After');
      const newest = readdirSync(join(folder, 'backups')).toSorted().at(-1) ?? '';
      expect(() => backup('restore', newest)).toThrow('Still connected');
      compose('stop', 'feedback-worker', 'api', 'landing', 'console');
      backup('restore', newest);
      compose('run', '--rm', '-T', 'migrate');
      up();
      expect(accounts()).toEqual(['Before']);
    },
    testMs,
  );

  it(
    'upgrades to another version, and back if an app of it does not start',
    async () => {
      git('init', '--quiet');
      await writeFile(join(folder, '.git', 'info', 'exclude'), 'authority\n');
      git('remote', 'add', 'origin', '.');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'one');
      git('tag', 'v1');
      git('commit', '--quiet', '--allow-empty', '--message', 'two');
      git('tag', 'v2');
      const file = join(folder, 'docker-compose.yml');
      const text = readFileSync(file, 'utf8');
      await writeFile(file, text.replace('      OIDC_CLIENT_SECRET: ${', '      LOG_LEVEL: nonsense\n$&'));
      git('commit', '--quiet', '--all', '--message', 'bad');
      git('tag', 'v3');
      git('checkout', '--quiet', 'v1');
      const upgraded = run('sh', 'deploy/compose/upgrade.sh', 'v2');
      expect([upgraded.status, upgraded.stdout.slice(-2_000)]).toEqual([0, expect.stringContaining('Upgraded.')]);
      const bad = run('sh', 'deploy/compose/upgrade.sh', 'v3');
      expect([bad.status, bad.stderr]).toEqual([1, expect.stringContaining('The old version runs again')]);
      expect(git('describe', '--tags').stdout).toBe('v2\n');
      expect(accounts()).toEqual(['Before']);
      up();
    },
    testMs,
  );
});
