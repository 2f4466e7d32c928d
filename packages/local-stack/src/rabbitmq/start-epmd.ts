import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListening } from '../network/is-listening.ts';
import type { Child } from '../processes/child.ts';
import { endLeftOver } from '../processes/end-left-over.ts';
import { inheritedEnvironment } from '../processes/inherited-environment.ts';
import { startChild } from '../processes/start-child.ts';
import { whenReady } from '../processes/when-ready.ts';

const readyMs = 10_000;

/** Starts the port mapper of one node. Otherwise the node would start a shared daemon, which keeps running. */
export const startEpmd = async (dir: string, port: number): Promise<Child> => {
  const pidFile = join(dir, 'epmd.pid');
  await endLeftOver(pidFile, 'SIGTERM');
  const command = ['epmd', '-port', String(port), '-address', '127.0.0.1'] as const;
  const child = await startChild({
    name: 'epmd',
    command,
    cwd: dir,
    env: inheritedEnvironment(),
    logFile: join(dir, 'epmd.log'),
  });
  writeFileSync(pidFile, `${child.pid}\n${command.join(' ')}`);
  await whenReady(child, () => isListening(port), readyMs);
  return child;
};
