import { existsSync, readFileSync, statSync } from 'node:fs';

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
