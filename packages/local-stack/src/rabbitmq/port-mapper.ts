import { join } from 'node:path';
import { freePort, isListening } from '../network.ts';
import { writePrivately } from '../private-files.ts';
import { endLeftOver } from '../processes/process-table.ts';
import { inheritedEnvironment } from '../processes/run-command.ts';
import { type Child, startChild, whenReady } from '../processes/start-child.ts';

/** Knows the ports of Erlang nodes. */
export interface PortMapper {
  readonly port: number;
  /** Starts it if it is not running; ends one that an earlier run left. */
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const readyMs = 10_000;

/** The port mapper of some nodes. Otherwise a node would start a shared daemon, which keeps running. */
export const portMapper = async (dir: string): Promise<PortMapper> => {
  const port = await freePort();
  const pidFile = join(dir, 'epmd.pid');
  const command = ['epmd', '-port', String(port), '-address', '127.0.0.1'] as const;
  const launch = async (): Promise<Child> => {
    await endLeftOver(pidFile, 'SIGTERM');
    const child = await startChild({
      name: 'epmd',
      command,
      cwd: dir,
      env: inheritedEnvironment(),
      logFile: join(dir, 'epmd.log'),
    });
    writePrivately(pidFile, `${child.pid}\n${command.join(' ')}`);
    await whenReady(child, () => isListening(port), readyMs);
    return child;
  };
  // nodes that start together wait for the same one
  let running: Promise<Child> | undefined;
  const relaunchIfEnded = async (before: Promise<Child> | undefined): Promise<Child> => {
    const child = await before?.catch(() => undefined);
    return child && child.ending === undefined ? child : launch();
  };

  return {
    port,
    start: async () => {
      running = relaunchIfEnded(running);
      await running;
    },
    end: async () => {
      await (await running?.catch(() => undefined))?.end('SIGTERM');
    },
  };
};
