import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { runCommand } from '../processes/run-command.ts';

type Command = readonly [file: string, ...args: string[]];

const namedUser = () => {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry = ['postgres', 'nobody'].map((name) => users.find((user) => user.startsWith(`${name}:`))).find(Boolean);
  const [, , uid = '65534', gid = '65534'] = entry?.split(':') ?? [];
  return { uid, gid };
};

/**
 * PostgreSQL refuses to run as root. Returns the command unchanged for an ordinary user; for root, it runs as the owner of
 * the data, else `postgres`, else `nobody`. That user keeps `dac_override`, to enter folders that only root may enter.
 */
export const asOrdinaryUser = (command: Command, dataDir: string): Command => {
  if (process.getuid?.() !== 0) return command;
  const { uid, gid } = existsSync(dataDir) ? statSync(dataDir) : namedUser();
  const rights = 'dac_override';
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=+${rights}`,
    `--ambient-caps=+${rights}`,
    ...command,
  ];
};

const options = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];

/** Creates the data folder of a new cluster if it is missing. Atomic, even if this process is killed. */
export const createCluster = async (initdb: string, dataDir: string): Promise<void> => {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await runCommand(asOrdinaryUser([initdb, '--pgdata', unfinished, ...options], unfinished));
  renameSync(unfinished, dataDir);
};
