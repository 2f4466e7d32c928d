/** A server of this machine. What it has acknowledged survives `kill` and `stop`; port and data stay the same. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  /** The server's own process: the one to kill for a crash. Another one after `start`. */
  readonly pid: number;
  /** Fulfilled, with how it ended (`status 0`, `SIGKILL`), when the process is gone, whoever ended it. Another promise after `start`. */
  readonly exited: Promise<string>;
  /** Starts the server again; one that still runs is stopped first. */
  start(): Promise<void>;
  /** Ends the server in good order. */
  stop(): Promise<void>;
  /** SIGKILL; returns when the process is gone. */
  kill(): Promise<void>;
}
