import { chmodSync, globSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asBrokerUser, asDatabaseRole, databaseRoles, startPostgres, startRabbitmq } from '../src/stack/index.ts';
import { runnableBy } from '../src/stack/postgres/cluster.ts';
import { query } from './query.ts';
import { temporaryFolder } from './temporary-folder.ts';

const isRoot = process.getuid?.() === 0;

/** The files and folders in a folder, itself included, that anybody else may read, write or enter. */
const openToOthers = (folder: string) =>
  ['', ...globSync('**/{*,.*}', { cwd: folder })]
    .filter((entry) => !['.', '..'].includes(entry.split('/').at(-1) ?? ''))
    .filter((entry) => (lstatSync(join(folder, entry)).mode & 0o077) !== 0);

const changed = (url: string, change: (url: URL) => unknown) => {
  const other = new URL(url);
  change(other);
  return other.href;
};

const withoutPassword = (url: string) => changed(url, (its) => (its.password = ''));
const withWrongPassword = (url: string) => changed(url, (its) => (its.password = 'wrong'));

describe('servers on this machine', () => {
  it('PostgreSQL accepts its administrator and the roles of the apps only with the password, by TCP and by its socket', async () => {
    await using dir = await temporaryFolder();
    await using server = await startPostgres({ dir: dir.path, durable: false });
    for (const administrator of [server.url, server.socketUrl]) {
      const roles = ['leadback_owner', ...Object.values(databaseRoles)] as const;
      for (const url of [administrator, ...roles.map((role) => asDatabaseRole(administrator, role))]) {
        expect(await query(url, `select 'well' as all`)).toContain('well');
        expect(await query(withoutPassword(url), `select 'well' as all`)).toContain('password');
        expect(await query(withWrongPassword(url), `select 'well' as all`)).toContain('password authentication failed');
      }
    }
  });

  it('PostgreSQL leaves nothing that another user may read, also before it is asked anything', async () => {
    await using dir = await temporaryFolder();
    const folder = join(dir.path, 'open');
    mkdirSync(folder, { mode: 0o755 });
    await using server = await startPostgres({ dir: folder, durable: false });
    expect(await query(server.socketUrl, 'create table note ()')).toContain('CREATE');
    expect(openToOthers(folder)).toEqual([]);
  });

  it.runIf(isRoot)('PostgreSQL that root starts has no capability and a user that nothing else has', async () => {
    await using dir = await temporaryFolder();
    await using server = await startPostgres({ dir: dir.path, durable: false });
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'));
    const [, uid = ''] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
    expect(Number(uid)).toBeGreaterThan(1_000);
    expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${uid}:`);

    // a program that the superuser starts cannot read what is for root alone
    const secret = join(dir.path, 'secret');
    writeFileSync(secret, 'of root', { mode: 0o600 });
    const read = `create temporary table lines (line text); copy lines from program 'cat ${secret}'`;
    expect(await query(server.url, read)).toContain('program "cat');
  });

  it.runIf(isRoot)(
    'PostgreSQL that root starts runs a copy of its programs if they are where only root may go',
    async () => {
      await using dir = await temporaryFolder();
      const programs = join(dir.path, 'programs');
      mkdirSync(join(programs, 'bin'), { recursive: true });
      writeFileSync(join(programs, 'bin/stand-in'), '#!/bin/sh\necho "$0"\n', { mode: 0o700 });
      const version = String(process.pid);
      const user = { uid: 61_200, gid: 61_200 };
      const copy = await runnableBy(user, programs, 'bin/stand-in', version);
      try {
        expect(copy).not.toBe(programs);
        expect(await runnableBy(user, programs, 'bin/stand-in', version)).toBe(copy);
        chmodSync(copy, 0o777);
        await expect(runnableBy(user, programs, 'bin/stand-in', version)).rejects.toThrow('remove it');
      } finally {
        rmSync(copy, { recursive: true });
      }
    },
  );

  it('RabbitMQ accepts its users only with the password, has no guest, and leaves nothing that another user may read', async () => {
    await using dir = await temporaryFolder();
    const folder = join(dir.path, 'open');
    mkdirSync(folder, { mode: 0o755 });
    await using broker = await startRabbitmq({ dir: folder });
    const users = (await broker.ctl('list_users', '--no-table-headers')).trim().split('\n');
    expect(new Set(users.map((line) => line.split('\t')[0]))).toEqual(
      new Set(['administrator', 'api', 'feedback-worker', 'landing', 'operator']),
    );
    const { username, password } = new URL(broker.url);
    expect(new URL(asBrokerUser(broker.url, 'landing')).password).toBe(password);
    await Promise.all([
      broker.ctl('authenticate_user', username, password),
      broker.ctl('authenticate_user', 'landing', password),
      expect(broker.ctl('authenticate_user', username, username)).rejects.toThrow('failed to authenticate'),
      expect(broker.ctl('authenticate_user', 'landing', 'landing')).rejects.toThrow('failed to authenticate'),
    ]);
    expect(openToOthers(folder)).toEqual([]);
  });

  it.each([
    ['PostgreSQL', startPostgres],
    ['RabbitMQ', startRabbitmq],
  ])('%s refuses data from before it had passwords, and says how to forget them', async (_, start) => {
    await using dir = await temporaryFolder();
    mkdirSync(join(dir.path, 'data'));
    await expect(start({ dir: dir.path })).rejects.toThrow('npm start -- --fresh');
  });
});
