export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** How it ended, such as `status 1` or `SIGKILL`; undefined while it runs. */
  readonly ending: string | undefined;
  readonly exited: Promise<string>;
  /** Sends the signal and waits until the process has ended; kills it after 10 s. */
  end(signal: NodeJS.Signals): Promise<void>;
}
