import { existsSync, readFileSync, statSync } from 'node:fs';

type Command = readonly [file: string, ...args: string[]];

const namedUser = () => {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry = ['postgres', 'nobody'].map((name) => users.find((user) => user.startsWith(`${name}:`))).find(Boolean);
  const [, , uid = '65534', gid = '65534'] = entry?.split(':') ?? [];
  return { uid, gid };
};

/**
 * The command as it has to be run so that PostgreSQL, which refuses to work for root, works on the data: unchanged for
 * an ordinary user; for root under the user who owns the data, else `postgres`, else `nobody`. That one keeps the right
 * to pass folders which are root's alone, as the repository's may be.
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
