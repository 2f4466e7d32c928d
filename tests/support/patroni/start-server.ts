import { join } from 'node:path';
import { asOrdinaryUser, type Child, inheritedEnvironment, startChild, whenReady } from '@leadback/local-stack';

interface ServerOptions {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** Of its log; its data are in `data` below it. */
  readonly dir: string;
  readonly isReady: () => Promise<boolean>;
}

const readyMs = 180_000;

/** Starts a server, for root as the user who may run PostgreSQL, and waits until it is ready. */
export const startServer = async ({ name, command, dir, isReady }: ServerOptions): Promise<Child> => {
  const child = await startChild({
    name,
    command: asOrdinaryUser(command, join(dir, 'data')),
    cwd: dir,
    env: { ...inheritedEnvironment(), HOME: dir, LANG: 'C.UTF-8' },
    logFile: join(dir, 'log'),
  });
  await whenReady(child, isReady, readyMs);
  return child;
};
