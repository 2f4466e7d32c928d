import type { LocalServer } from './local-server.ts';
import type { Child } from './processes/child.ts';

type Running = Pick<Child, 'pid' | 'exited' | 'end'>;

interface ServerPlan {
  readonly url: string;
  /** Starts the process and waits until it is ready; ends one that an earlier run left running. */
  readonly launch: () => Promise<Running>;
  readonly stopSignal: NodeJS.Signals;
  /** Releases what the server needs besides its process. */
  readonly release: () => Promise<void> | void;
}

export const restartableServer = async (plan: ServerPlan): Promise<LocalServer> => {
  const launch = async () => {
    try {
      return await plan.launch();
    } catch (error) {
      await plan.release();
      throw error;
    }
  };
  let running = await launch();
  const stop = async () => {
    await running.end(plan.stopSignal);
    await plan.release();
  };

  return {
    url: plan.url,
    get pid() {
      return running.pid;
    },
    get exited() {
      return running.exited;
    },
    start: async () => {
      running = await launch();
    },
    stop,
    kill: () => running.end('SIGKILL'),
    [Symbol.asyncDispose]: stop,
  };
};
