import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { keyedApps, masterKeysSchema, writeAppKeys } from '@leadback/domain/keys';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

describe('new-env.sh', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(inject('temporaryFolder'), 'clone-'));
    await mkdir(join(folder, 'deploy', 'compose'), { recursive: true });
    await cp(join(root, 'deploy/compose/new-env.sh'), join(folder, 'deploy/compose/new-env.sh'));
  });
  // from another folder: it finds its own
  const run = (...words: readonly string[]) =>
    spawnSync('sh', ['-c', 'umask 022; exec sh "$@"', 'sh', join(folder, 'deploy/compose/new-env.sh'), ...words], {
      encoding: 'utf8',
      cwd: inject('temporaryFolder'),
    });
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const read = (file: string): NodeJS.Dict<string> => parseEnv(text(file));
  const secretFiles = () => globSync('deploy/compose/secrets/*', { cwd: folder }).toSorted();

  it('writes a .env of at most twelve lines for a domain, with three host names, a proxy that is trusted, and the key', () => {
    expect(run('example.com')).toMatchObject({ status: 0, stderr: '' });
    expect(text('.env').trimEnd().split('\n').length).toBeLessThanOrEqual(12);
    const { SECRETS_KEY: key, POSTGRES_SHARED_BUFFERS: _size, ...others } = read('.env');
    expect(masterKeysSchema.parse(key)).toHaveLength(1);
    expect(others).toEqual({
      COMPOSE_FILE: 'docker-compose.yml:deploy/compose/server.yml',
      LANDING_URL: 'https://go.example.com',
      API_URL: 'https://api.example.com',
      CONSOLE_URL: 'https://console.example.com',
      TRUST_PROXY: '1',
      ALERTS_TO: '',
      BACKUPS_KEPT_DAYS: '30',
    });
  });

  it('takes other host names, and says which command comes next', () => {
    const words = ['--landing', 'clicks.example.com', '--console', 'panel.example.com'];
    const { status, stdout } = run('example.com', ...words);
    expect([status, stdout]).toEqual([0, expect.stringContaining('docker compose up -d --wait')]);
    expect(read('.env')).toMatchObject({
      LANDING_URL: 'https://clicks.example.com',
      API_URL: 'https://api.example.com',
      CONSOLE_URL: 'https://panel.example.com',
    });
  });

  it('writes no proxy and no public URL for localhost', () => {
    expect(run('localhost').status).toBe(0);
    const { COMPOSE_FILE: files, TRUST_PROXY: proxies, LANDING_URL: url } = read('.env');
    expect([files, proxies, url]).toEqual(['docker-compose.yml', undefined, undefined]);
  });

  it('never replaces .env, nor passwords whose .env is missing', async () => {
    run('example.com');
    const before = [text('.env'), ...secretFiles().map(text)];
    expect(run('example.org')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\.env exists, and is not replaced/),
    });
    expect([text('.env'), ...secretFiles().map(text)]).toEqual(before);
    await rm(join(folder, '.env'));
    expect(run('example.com')).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no .env') });
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });

  it.each([
    ['--help', 0],
    ['--hepl', 2],
    ['', 2],
    ['https://example.com', 2],
    ['Example.com', 2],
    ['example', 2],
  ] as const)('prints its usage and no secret for "%s", and writes nothing', (word, status) => {
    const ended = run(word);
    expect(ended.status).toBe(status);
    expect(`${ended.stdout}${ended.stderr}`).toContain('sh deploy/compose/new-env.sh DOMAIN');
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/[0-9a-f]{32}|KEY=\S/);
    expect(globSync('**', { cwd: folder }).filter((path) => /env$|secrets/.test(path))).toEqual([]);
  });

  it('leaves its files to their owner alone', async () => {
    run('example.com');
    const modes = ['.env', 'deploy/compose/secrets', ...secretFiles()].map(async (file) => {
      const { mode } = await stat(join(folder, file));
      return [file, (mode & 0o077).toString(8)];
    });
    expect((await Promise.all(modes)).filter(([, others]) => others !== '0')).toEqual([]);
    expect(secretFiles().length).toBeGreaterThan(10);
  });

  it('writes every file of secrets that compose names, and never the same secret twice for two uses', () => {
    run('example.com');
    const files = ['docker-compose.yml', ...globSync('deploy/compose/*.yml', { cwd: root })];
    const named = files.flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/deploy\/compose\/secrets\/[\w-]+\.env/g) ?? [],
    );
    expect(secretFiles().filter((file) => file.endsWith('.env'))).toEqual([...new Set(named)].toSorted());
    const passwords = Object.values(read('deploy/compose/secrets/passwords'));
    expect(new Set(passwords).size).toBe(passwords.length);
    for (const password of passwords) expect(password).toMatch(/^[0-9a-f]{48}$/);
  });

  it('gives each app its own password, and the keys that it needs and no others', () => {
    run('example.com');
    const key = read('.env')['SECRETS_KEY'];
    for (const app of keyedApps) {
      const { SECRETS_KEY: keys, PGPASSWORD: password } = read(`deploy/compose/secrets/${app}.env`);
      // a purpose that keys.ts has and new-env.sh lacks, or the other way round
      expect(keys).toBe(writeAppKeys(masterKeysSchema.parse(key), app));
      const role = `LEADBACK_${app.toUpperCase().replace('-', '_')}_PASSWORD`;
      expect(password).toBe(read('deploy/compose/secrets/postgres.env')[role]);
    }
    const all = secretFiles().map((file) => [file, text(file)] as const);
    expect(all.filter(([, content]) => content.includes(key ?? '-')).map(([file]) => file)).toEqual([]);
  });

  it('writes the keys of the apps again when SECRETS_KEY has a second key, and keeps the passwords', async () => {
    run('example.com');
    const before = text('deploy/compose/secrets/passwords');
    const added = Buffer.alloc(32, 9).toString('base64');
    await writeFile(join(folder, '.env'), text('.env').replace('SECRETS_KEY=', `SECRETS_KEY=${added},`));
    expect(run('--secrets')).toMatchObject({ status: 0, stderr: '' });
    const keys = masterKeysSchema.parse(read('.env')['SECRETS_KEY']);
    expect(keys).toHaveLength(2);
    for (const app of keyedApps)
      expect(read(`deploy/compose/secrets/${app}.env`)['SECRETS_KEY']).toBe(writeAppKeys(keys, app));
    expect(text('deploy/compose/secrets/passwords')).toBe(before);
  });

  it('reads SECRETS_KEY in quotes, as Docker Compose does', async () => {
    run('example.com');
    const before = read('deploy/compose/secrets/api.env')['SECRETS_KEY'];
    await writeFile(join(folder, '.env'), text('.env').replace(/SECRETS_KEY=(.*)/, 'SECRETS_KEY="$1"'));
    expect(run('--secrets')).toMatchObject({ status: 0, stderr: '' });
    expect(read('deploy/compose/secrets/api.env')['SECRETS_KEY']).toBe(before);
  });

  it.each(['hello', Buffer.alloc(31).toString('base64'), `${Buffer.alloc(32, 1).toString('base64')},$OLD`])(
    'refuses SECRETS_KEY=%s, of which anybody could compute the keys, and leaves the files',
    async (wrong) => {
      run('example.com');
      const before = secretFiles().map(text);
      await writeFile(
        join(folder, '.env'),
        text('.env').replace(/SECRETS_KEY=.*/, () => `SECRETS_KEY=${wrong}`),
      );
      expect(run('--secrets')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^SECRETS_KEY in \.env: expected/),
      });
      expect(secretFiles().map(text)).toEqual(before);
    },
  );

  it('makes the folder of another machine from the .env that was kept', async () => {
    expect(run('--secrets')).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no .env') });
    run('example.com');
    const before = read('deploy/compose/secrets/api.env');
    await rm(join(folder, 'deploy/compose/secrets'), { recursive: true });
    expect(run('--secrets').status).toBe(0);
    const after = read('deploy/compose/secrets/api.env');
    expect(after['SECRETS_KEY']).toBe(before['SECRETS_KEY']);
    expect(after['PGPASSWORD']).not.toBe(before['PGPASSWORD']);
  });

  // elsewhere nothing says how much memory Docker has
  it.runIf(existsSync('/proc/meminfo'))("gives PostgreSQL a quarter of the machine's memory as buffers", () => {
    run('example.com');
    const { POSTGRES_SHARED_BUFFERS: buffers = '' } = read('.env');
    expect(buffers).toMatch(/^\d+MB$/);
    expect(Math.abs(Number.parseInt(buffers, 10) - totalmem() / 4 / 1024 ** 2)).toBeLessThan(1);
  });
});
