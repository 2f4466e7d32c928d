import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutable, findOrInstall } from '@leadback/testing/stack';

/** The paths of what a cluster of Patroni consists of. */
export interface PatroniPrograms {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** Of PostgreSQL, with `pg_ctl`, `pg_basebackup` and `pg_rewind`, which the npm package of the other tests lacks. */
  readonly binFolder: string;
}

// python3-etcd: Patroni only recommends it
const packageNames = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql'];
const versions = '/usr/lib/postgresql';

/** Of the newest PostgreSQL of Debian. */
const findBinFolder = (): string | undefined => {
  const names = existsSync(versions) ? readdirSync(versions) : [];
  const [newest] = names.toSorted((one, other) => Number(other) - Number(one));
  const folder = join(versions, newest ?? '', 'bin');
  return findExecutable(['pg_rewind'], [folder]) && folder;
};

const find = (): PatroniPrograms | undefined => {
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map((name) =>
    findExecutable([name], ['/usr/bin', '/usr/sbin']),
  );
  const binFolder = findBinFolder();
  return patroni && etcd && haproxy && binFolder ? { patroni, etcd, haproxy, binFolder } : undefined;
};

const advice = `The test of the failover needs Patroni: install it (Debian: apt-get install ${packageNames.join(' ')})`;

/** The programs of Debian; installs them if they are missing. Starts none of their services. */
export const findPatroni = async (): Promise<PatroniPrograms> => {
  await findOrInstall({
    find: () => find()?.patroni,
    packageNames,
    announcement: 'Installing Patroni, etcd, HAProxy and PostgreSQL with apt-get (70 MB) …',
    advice,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const found = find();
  if (!found) throw new Error(advice);
  return found;
};
