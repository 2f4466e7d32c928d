import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../network.ts';
import { storedPassword } from '../private-files.ts';
import { claimFolder, releaseFolder, type Child } from '../processes/processes.ts';
import { type LocalServer, type Log, restartableServer } from '../restartable-server.ts';
import { asWorkingFolder, launchPostgres, makeRoles } from './cluster.ts';

interface PostgresOptions {
  /** Folder of data and log; another start reuses them. */
  readonly dir: string;
  readonly port?: number;
  /** False for tests: commits survive a kill -9 of the server, but not a power cut. */
  readonly durable?: boolean;
  /** Further settings, such as `shared_buffers: '1GB'`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log?: Log;
}

const sessionsEndMs = 60_000;

// after a kill -9 of the server, a session runs its statement to the end and blocks the next server
const isHeldBySessions = (error: unknown) =>
  error instanceof Error && error.message.includes('pre-existing shared memory block');

const launchAfterSessions = async (launch: () => Promise<Child>, deadline: number): Promise<Child> => {
  try {
    return await launch();
  } catch (error) {
    if (!isHeldBySessions(error) || performance.now() > deadline) throw error;
    await pause(200);
    return launchAfterSessions(launch, deadline);
  }
};

/** `url`, by TCP, is for the administrator. */
export interface LocalPostgres extends LocalServer {
  /** The same by a Unix socket in the folder, which no other user reaches; by TCP if the path is too long for one. */
  readonly socketUrl: string;
}

const socketPathMax = 107;

/**
 * Starts a PostgreSQL that only this machine reaches, and only with the password, which is in the folder. It has the roles
 * of the apps.
 */
export const startPostgres = async (options: PostgresOptions): Promise<LocalPostgres> => {
  const { durable = true, log = () => {} } = options;
  const dir = resolve(options.dir);
  const dataDir = join(dir, 'data');
  const port = options.port ?? (await freePort());
  const hasSocket = join(dataDir, `.s.PGSQL.${port}`).length <= socketPathMax;
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${hasSocket ? asWorkingFolder(dataDir) : ''}`,
    'unix_socket_permissions=0600',
    'max_connections=300',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...Object.entries(options.settings ?? {}).map(([name, value]) => `${name}=${value}`),
  ];
  claimFolder(dir);
  const password = storedPassword(dir);
  const urlAt = (host: string) => `postgres://postgres:${password}@${host}:${port}/postgres`;
  const url = urlAt('127.0.0.1');

  const server = await restartableServer({
    url,
    launch: () => {
      log('Starting PostgreSQL …');
      claimFolder(dir);
      return launchAfterSessions(() => launchPostgres(dir, settings, password), performance.now() + sessionsEndMs);
    },
    stopSignal: 'SIGINT', // fast shutdown: sessions are cut off, nothing committed is lost
    release: () => releaseFolder(dir),
  });
  try {
    await makeRoles(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return Object.assign(server, { socketUrl: hasSocket ? urlAt(encodeURIComponent(dataDir)) : url });
};
