/** A process that we started. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** How it ended, such as `status 1` or `SIGKILL`; undefined while it runs. */
  readonly ending: string | undefined;
  readonly exited: Promise<string>;
  /** Sends the signal and waits until the process is gone; one that does not go within 10 s is killed. */
  end(signal: NodeJS.Signals): Promise<void>;
}
