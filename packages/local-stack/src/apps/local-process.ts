export interface LocalProcess extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, with its status (`status 0`) or signal (`SIGKILL`). */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after 10 s; resolves when the process has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}
