import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writePrivately } from '../private-files.ts';
import { inheritedEnvironment, runCommand } from '../processes/run-command.ts';
import { asUser, type Command, namedUser, type ServerUser, startedByRoot } from './server-user.ts';

/**
 * How a server names its data folder, in which it is started. By its path, a user without capabilities could not reach it:
 * the folders above are for root alone.
 */
export const asWorkingFolder = (dataDir: string): string => (startedByRoot() ? '/proc/self/cwd' : dataDir);

// reject: initdb would otherwise ask for the password in a file that its user can reach
const options = ['--username', 'postgres', '--auth', 'reject', '--encoding', 'UTF8', '--locale', 'C'];

const onlyByPassword = `local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
`;

/**
 * A client proves that it knows the password, which has 192 random bits: more rounds would only slow down connections, and
 * the tests open thousands.
 */
export const fastScram = 'scram_iterations=1';

/** Runs SQL on the data of a server that does not run. */
const runAlone = async ([file, ...args]: Command, cwd: string, sql: string): Promise<void> => {
  const child = spawn(file, args, { cwd, env: inheritedEnvironment(), stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(sql);
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (status !== 0 || stderr.includes('ERROR')) throw new Error(`cannot set the password of PostgreSQL: ${stderr}`);
};

interface Cluster {
  /** The folder of PostgreSQL's programs. */
  readonly bin: string;
  readonly dataDir: string;
  readonly user: ServerUser;
  readonly password: string;
}

/** Creates the data folder of a new cluster if it is missing. Atomic, even if this process is killed. */
export const createCluster = async ({ bin, dataDir, user, password }: Cluster): Promise<void> => {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const creator = startedByRoot() ? namedUser(user) : user;
  if (startedByRoot()) chownSync(unfinished, creator.uid, creator.gid);
  const folder = asWorkingFolder(unfinished);
  const initdb = [join(bin, 'initdb'), '--pgdata', folder, ...options] as const;
  await runCommand(asUser(creator, initdb), { cwd: unfinished });
  const single = [join(bin, 'postgres'), '--single', '-D', folder, '-c', fastScram, 'postgres'] as const;
  await runAlone(asUser(creator, single), unfinished, `alter role postgres password '${password}';\n`);
  writePrivately(join(unfinished, 'pg_hba.conf'), onlyByPassword);
  if (startedByRoot()) await runCommand(['chown', '-R', `${user.uid}:${user.gid}`, unfinished]);
  renameSync(unfinished, dataDir);
};
