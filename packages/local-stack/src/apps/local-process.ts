/** One of our apps, running. */
export interface LocalProcess extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** Fulfilled, with how it ended (`status 0`, `SIGKILL`), when the process is gone, whoever ended it. */
  readonly exited: Promise<string>;
  /** SIGTERM, and after 10 s SIGKILL; returns when the process is gone. */
  stop(): Promise<void>;
  /** SIGKILL; returns when the process is gone. */
  kill(): Promise<void>;
}
