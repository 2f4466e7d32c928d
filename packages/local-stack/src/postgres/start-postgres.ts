import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../network.ts';
import { claimFolder, releaseFolder } from '../processes/folder-claim.ts';
import type { Child } from '../processes/start-child.ts';
import { type LocalServer, type Log, restartableServer } from '../restartable-server.ts';
import { launchPostgres } from './launch-postgres.ts';
import { makeRoles } from './roles.ts';

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

/** Starts a PostgreSQL that only listens on 127.0.0.1, with the roles of the apps. `url` is for the administrator. */
export const startPostgres = async (options: PostgresOptions): Promise<LocalServer> => {
  const { durable = true, log = () => {} } = options;
  const dir = resolve(options.dir);
  const port = options.port ?? (await freePort());
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...Object.entries(options.settings ?? {}).map(([name, value]) => `${name}=${value}`),
  ];

  const server = await restartableServer({
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    launch: () => {
      log('Starting PostgreSQL …');
      claimFolder(dir);
      return launchAfterSessions(() => launchPostgres(dir, settings), performance.now() + sessionsEndMs);
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
  return server;
};
