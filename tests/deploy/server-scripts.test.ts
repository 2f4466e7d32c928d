import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { printResult } from '../../apps/operator/src/print-result.ts';
import { root } from '../support/code-blocks.ts';

const execute = promisify(execFile);
const deploy = join(root, 'deploy');

/** A folder with programs in place of others: each notes its arguments in `calls`, then does what is given. */
const given = async (programs: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'server-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const calls = join(folder, 'calls');
  await writeFile(calls, '');
  for (const [name, does] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${calls}\n${does}\n`, { mode: 0o755 });
  }
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  return { folder, env, calls: () => readFileSync(calls, 'utf8').trimEnd().split('\n') };
};

const startAlertmanager = async (settings: Readonly<Record<string, string>>) => {
  const { folder, env } = await given({ alertmanager: 'exit 0' });
  const file = join(folder, 'alertmanager.yml');
  const own = { CONFIG_FILE: file, ALERTMANAGER: join(folder, 'bin', 'alertmanager') };
  await execute('sh', [join(deploy, 'alertmanager/start.sh')], { env: { ...env, ...own, ...settings } });
  return { written: readFileSync(file, 'utf8'), mode: (await stat(file)).mode & 0o077 };
};

describe('start.sh of Alertmanager', () => {
  it('tells nobody without ALERTS_TO, and starts nevertheless', async () => {
    expect((await startAlertmanager({})).written).not.toContain('_configs');
  });

  it('tells a webhook, or an address of email through the mail server, and keeps its password in a private file', async () => {
    expect((await startAlertmanager({ ALERTS_TO: 'https://alerts.example/hook' })).written).toContain(
      'webhook_configs: [{ url: "https://alerts.example/hook" }]',
    );
    const mail = {
      SMTP_URL: 'smtp://ana%40example.com:pass@smtp.example.com:465',
      SMTP_FROM: 'leadback@example.com',
    };
    const { written, mode } = await startAlertmanager({ ALERTS_TO: 'ops@example.com', ...mail });
    expect(written).toContain(
      'email_configs: [{ to: "ops@example.com", from: "leadback@example.com", smarthost: "smtp.example.com:465", auth_username: "ana@example.com", auth_password: "pass", send_resolved: true }]',
    );
    expect(mode).toBe(0);
  });

  it.each([
    [{ ALERTS_TO: 'ops@example.com' }, 'SMTP_FROM'],
    [{ ALERTS_TO: 'ops@example.com', SMTP_FROM: 'a@example.com' }, 'SMTP_URL=smtp://'],
    [{ ALERTS_TO: 'ops' }, 'neither an https URL nor an address of email'],
    [{ ALERTS_TO: 'https://x.example/"}' }, 'may not have quotes'],
  ])('refuses %o with a sentence', async (settings, says) => {
    await expect(startAlertmanager(settings)).rejects.toMatchObject({ stderr: expect.stringContaining(says) });
  });
});

const dump = 'for word; do case "$word" in --file=*) echo dump > "${word#--file=}" ;; esac; done';
const backup = async (words: readonly string[], programs: Readonly<Record<string, string>> = {}) => {
  const server = await given({ pg_dump: dump, pg_restore: 'exit 0', psql: 'exit 0', ...programs });
  const backups = join(server.folder, 'backups');
  await mkdir(backups);
  const runIt = (settings: Readonly<Record<string, string>> = {}) =>
    execute('sh', [join(deploy, 'backup/backup.sh'), ...words], {
      env: { ...server.env, BACKUPS: backups, BACKUPS_KEPT_DAYS: '30', ...settings },
    });
  return { ...server, backups, run: runIt, files: () => globSync('*', { cwd: backups }).toSorted() };
};

const daily = async (programs: Readonly<Record<string, string>>, isThere: boolean) => {
  // the loop ends when it is about to pause
  const its = await backup(['daily'], {
    psql: 'echo audit_entry',
    wget: 'exit 0',
    sleep: 'kill $PPID',
    ...programs,
  });
  if (isThere) await writeFile(join(its.backups, 'leadback-today.dump'), '');
  await its.run({ ALERTMANAGER_URL: 'http://alertmanager:9093' }).catch(() => {});
  return its.calls().join('\n');
};

describe('backup.sh', () => {
  it('takes a backup that others cannot read, notes it in the audit log, and removes those that are too old', async () => {
    const { run, files, calls, backups } = await backup(['take']);
    await writeFile(join(backups, 'leadback-old.dump'), '');
    await writeFile(join(backups, 'leadback-recent.dump'), '');
    await execute('touch', ['-d', '40 days ago', join(backups, 'leadback-old.dump')]);
    await run();
    const [taken = '', recent] = files();
    expect([taken, recent]).toEqual([
      expect.stringMatching(/^leadback-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/),
      'leadback-recent.dump',
    ]);
    expect((await stat(join(backups, taken))).mode & 0o077).toBe(0);
    expect(calls().at(-1)).toMatch(new RegExp(`^psql .*'backup', 'backup\\.taken', '${taken}', '\\{"bytes": 5\\}'`));
  });

  it('leaves a PostgreSQL elsewhere to its provider, so that an upgrade does not fail for it', async () => {
    const { run, files, calls } = await backup(['take']);
    const { stdout } = await run({ DATABASE_HOST: 'db.example.com' });
    expect(stdout).toContain('the database is on db.example.com: its provider takes the backups');
    expect([files(), calls().join('')]).toEqual([[], '']);
  });

  it.each([
    ['pg_dump', `${dump}; exit 1`],
    ['pg_restore', 'exit 1'],
  ])('leaves no file that looks like a backup, and removes none, if %s fails', async (program, does) => {
    const { run, files, calls, backups } = await backup(['take'], { [program]: does });
    await writeFile(join(backups, 'leadback-old.dump'), '');
    await execute('touch', ['-d', '40 days ago', join(backups, 'leadback-old.dump')]);
    await expect(run()).rejects.toMatchObject({ code: 1 });
    expect(files().filter((file) => !file.endsWith('.part'))).toEqual(['leadback-old.dump']);
    expect(calls().join('\n')).not.toContain('backup.taken');
  });

  it('takes one a day by itself: at once if there is none of today, and alerts people if it fails', async () => {
    expect(await daily({}, true)).not.toMatch(/pg_dump|wget/);
    const taken = await daily({}, false);
    expect([taken, taken.includes('wget')]).toEqual([expect.stringContaining('pg_dump'), false]);
    expect(await daily({ pg_dump: 'exit 1' }, false)).toMatch(
      /wget [^]*LeadbackBackupFailed[^]*alertmanager:9093\/api\/v2\/alerts/,
    );
  });

  it('restores the newest backup into a database of its own, which it removes, and notes it', async () => {
    const { run, calls, backups } = await backup(['check'], { psql: 'echo 3' });
    for (const day of ['01', '02']) await writeFile(join(backups, `leadback-2026-11-${day}T060000Z.dump`), '');
    const { stdout } = await run();
    expect(stdout).toContain('restored leadback-2026-11-02T060000Z.dump into an empty database');
    const done = calls().join('\n');
    expect(done).toMatch(
      /create database leadback_check [^]*pg_restore .*--dbname=leadback_check .*11-02T[^]*backup\.restored/,
    );
    expect(calls().at(-1)).toContain('drop database if exists leadback_check');
    expect(done).not.toContain('alter database leadback ');
  });

  it('puts a backup in the place of the database only if no app is connected, and keeps what was there', async () => {
    const file = 'leadback-2026-11-01T060000Z.dump';
    const busy = await backup(['restore', file], { psql: 'echo leadback api' });
    await writeFile(join(busy.backups, file), '');
    await expect(busy.run()).rejects.toMatchObject({
      stderr: expect.stringContaining('docker compose stop feedback-worker'),
    });
    expect(busy.calls().join('\n')).not.toContain('alter database');
    const free = await backup(['restore', file]);
    await writeFile(join(free.backups, file), '');
    await free.run();
    const done = free.calls().join('\n');
    expect(done).toMatch(
      /pg_restore .*leadback_restoring [^]*conversion_id_seq[^]*alter database leadback rename to leadback_before_\d{14}\n[^]*alter database leadback_restoring rename to leadback\n/,
    );
  });
});

/** What doctor prints of these checks, each with its state. */
const doctorSays = (states: Readonly<Record<string, string>>) => {
  const result = Object.entries(states).map(([check, state]) => ({
    check,
    state: state === 'not checked' ? 'error' : state,
    finding: state === 'not checked' ? 'not checked: PostgreSQL did not respond' : 'none is known, or so',
    todo: null,
  }));
  const screen = { columns: 80, isWide: true, now: new Date() };
  return `${printResult({ result, shown: result, columns: [], brief: [], isBad: false }, 'csv', screen)}\n`;
};

const states = { broker: 'ok', backups: 'error' };

const startedApps = (calls: readonly string[]) =>
  calls.flatMap((call) => /^docker compose up .*--no-deps --wait --wait-timeout 180 ([\w-]+)$/.exec(call)?.[1] ?? []);

const at = (calls: readonly string[], part: string) => calls.findIndex((call) => call.includes(part));

/** In place of docker: `fails` is a pattern of commands that fail; doctor says `after` once console runs. */
const upgrade = async (
  { fails = 'nothing', after = states }: { fails?: string; after?: Readonly<Record<string, string>> },
  ...words: readonly string[]
) => {
  const server = await given({
    docker: `case "$*" in
      ${fails}) exit 1 ;;
      *'doctor --csv') if [ -e "$0.console" ]; then cat "$0.after"; else cat "$0.before"; fi ;;
      *'config --services') printf 'backup\\napi\\n' ;;
      *' console') touch "$0.console" ;;
    esac`,
    git: 'case "$1" in rev-parse) echo 0123abc ;; esac',
    sleep: 'exit 0',
  });
  await writeFile(join(server.folder, 'bin', 'docker.before'), doctorSays(states));
  await writeFile(join(server.folder, 'bin', 'docker.after'), doctorSays(after));
  await mkdir(join(server.folder, 'deploy', 'compose'), { recursive: true });
  const script = join(server.folder, 'deploy', 'compose', 'upgrade.sh');
  await cp(join(deploy, 'compose/upgrade.sh'), script);
  await writeFile(join(server.folder, 'deploy/compose/new-env.sh'), 'echo "new-env.sh $*" >> "$CALLS"');
  await writeFile(join(server.folder, '.env'), '');
  const env = { ...server.env, CALLS: join(server.folder, 'calls') };
  const ended = spawnSync('sh', [script, ...words], { env, encoding: 'utf8' });
  return { ...ended, calls: server.calls(), started: startedApps(server.calls()) };
};

describe('upgrade.sh', () => {
  it('builds, takes a backup, migrates, and starts the apps in the order that each release supports', async () => {
    const { status, calls, started, stdout } = await upgrade({}, 'v1.1.0');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/Upgraded\.\n$/)]);
    expect(started).toEqual(['feedback-worker', 'api', 'landing', 'console']);
    const order = [
      'git checkout --quiet v1.1.0',
      'new-env.sh --secrets',
      'leadback-api:previous',
      'operator build',
      'backup take',
      '-T migrate',
      '180 feedback-worker',
    ];
    const places = order.map((part) => at(calls, part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(-1);
  });

  it.each([
    ['the build', `*'operator build'`],
    ['the backup', `*'backup take'`],
    ['the migration', `*' migrate'`],
  ])('puts the old images and files back if %s fails, before any app has changed', async (_, pattern) => {
    const { status, calls, started, stderr } = await upgrade({ fails: pattern }, 'v1.1.0');
    expect([status, stderr]).toEqual([1, expect.stringContaining('The old version runs again')]);
    expect(calls).toContain('git checkout --quiet 0123abc');
    expect(calls).toContain('docker image tag leadback-api:previous leadback-api:local');
    expect(started).toEqual(['console', 'landing', 'api', 'feedback-worker']);
  });

  it('puts the old images back, in the opposite order, if doctor finds an error that was not there before', async () => {
    const { status, stdout, started } = await upgrade({ after: { broker: 'error', backups: 'error' } });
    expect([status, stdout]).toEqual([1, expect.stringContaining('errors that were not there before: broker')]);
    expect(started).toEqual([
      'feedback-worker',
      'api',
      'landing',
      'console',
      'console',
      'landing',
      'api',
      'feedback-worker',
    ]);
  });

  it('says which apps of the old version do not start either', async () => {
    const { status, stderr } = await upgrade({ fails: `*' api'` });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^These do not start: api\./m)]);
    expect(stderr).not.toContain('The old version runs again');
  });

  it('goes on if only a check that the old version lacks finds an error', async () => {
    const { status } = await upgrade({ after: { ...states, 'a new check': 'error' } });
    expect(status).toBe(0);
  });

  it('goes on if a check could not be made, as while the server is busy with the start', async () => {
    const { status, stdout } = await upgrade({ after: { broker: 'not checked', backups: 'error' } });
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('looks again')]);
  });

  it('prints its usage, and needs a .env', async () => {
    expect(await upgrade({}, '--help')).toMatchObject({ status: 0, calls: [''] });
    expect(await upgrade({}, '--hepl')).toMatchObject({ status: 2, calls: [''] });
  });
});
