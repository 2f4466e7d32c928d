import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
}

interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

const running = new Set<ChildProcess>();

/** Ends the programs that run now, with all that they have started. */
export const endPrograms = (): void => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
};

/**
 * Runs a program to its end. In a session of its own: Ctrl-C ends this process first, which then takes down what runs.
 */
export const tryProgram = async (
  [file, ...args]: readonly [file: string, ...args: string[]],
  options: ProgramOptions = {},
): Promise<Ended> => {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let [stdout, output] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const [status]: unknown[] = await once(child, 'close').finally(() => running.delete(child));
  return { status: typeof status === 'number' ? status : 1, stdout, output };
};

/** The standard output of a program. Throws with the end of its output if it fails. */
export const runProgram = async (
  command: readonly [file: string, ...args: string[]],
  options: ProgramOptions = {},
): Promise<string> => {
  const { status, stdout, output } = await tryProgram(command, options);
  if (status === 0) return stdout;
  throw new Error(`${command.slice(0, 4).join(' ')} … ended with status ${status}:\n${output.slice(-3_000)}`);
};
