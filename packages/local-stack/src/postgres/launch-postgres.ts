import { join } from 'node:path';
import type { Child } from '../processes/child.ts';
import { endLeftOver } from '../processes/end-left-over.ts';
import { inheritedEnvironment } from '../processes/inherited-environment.ts';
import { startChild } from '../processes/start-child.ts';
import { whenReady } from '../processes/when-ready.ts';
import { asOrdinaryUser } from './as-ordinary-user.ts';
import { createCluster } from './create-cluster.ts';
import { isAccepting } from './is-accepting.ts';
import { postgresBinaries } from './postgres-binaries.ts';

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
