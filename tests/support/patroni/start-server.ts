import { chmodSync, chownSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  asUser,
  type Child,
  inheritedEnvironment,
  namedUser,
  serverUserOf,
  startChild,
  startedByRoot,
  whenReady,
} from '@leadback/testing/stack';

interface ServerOptions {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** Of its log; its data are in `data` below it. */
  readonly dir: string;
  readonly isReady: () => Promise<boolean>;
}

const readyMs = 180_000;

/** PostgreSQL does not run as root, and Patroni runs it as the user that it runs as. */
const asItsUser = (command: ServerOptions['command'], dir: string) => {
  if (!startedByRoot()) return command;
  const user = namedUser(serverUserOf(join(dir, 'data')));
  chownSync(dir, user.uid, user.gid);
  chmodSync(dirname(dir), 0o711); // so that the user reaches it
  return asUser(user, command);
};

/** Starts a server, for root as another user, and waits until it is ready. */
export const startServer = async ({ name, command, dir, isReady }: ServerOptions): Promise<Child> => {
  const child = await startChild({
    name,
    command: asItsUser(command, dir),
    cwd: dir,
    env: { ...inheritedEnvironment(), HOME: dir, LANG: 'C.UTF-8' },
    logFile: join(dir, 'log'),
  });
  await whenReady(child, isReady, readyMs);
  return child;
};
