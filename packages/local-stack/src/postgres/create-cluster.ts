import { existsSync, renameSync, rmSync } from 'node:fs';
import { runCommand } from '../processes/run-command.ts';
import { asOrdinaryUser } from './as-ordinary-user.ts';

const options = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];

/** Creates the data folder of a new cluster if it is missing. Atomic, even if this process is killed. */
export const createCluster = async (initdb: string, dataDir: string): Promise<void> => {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await runCommand(asOrdinaryUser([initdb, '--pgdata', unfinished, ...options], unfinished));
  renameSync(unfinished, dataDir);
};
