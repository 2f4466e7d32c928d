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
