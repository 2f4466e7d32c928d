import type { Child } from './processes/processes.ts';

/** Receives a line for each slow step. */
export type Log = (line: string) => void;

/** A server on this machine. Acknowledged data survive `kill` and `stop`; the port stays the same. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  /** The process to kill to simulate a crash. Changes with `start`. */
  readonly pid: number;
  /** Resolves when the process has ended, with its status (`status 0`) or signal (`SIGKILL`). Changes with `start`. */
  readonly exited: Promise<string>;
  /** Restarts the server. */
  start(): Promise<void>;
  /** Shuts the server down. */
  stop(): Promise<void>;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}

/** The process of a server. */
export type Running = Pick<Child, 'pid' | 'exited' | 'end'>;

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
