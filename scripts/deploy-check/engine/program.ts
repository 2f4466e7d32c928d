import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
}

/**
 * Runs a program to its end. In a session of its own: Ctrl-C ends this process first, which then takes down what runs.
 */
export const tryProgram = async (
  [file, ...args]: readonly [file: string, ...args: string[]],
  { input, ...options }: ProgramOptions = {},
): Promise<Ended> => {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, output] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  child.stdin.on('error', () => {}); // the program may end without reading
  child.stdin.end(input);
  const [status]: unknown[] = await once(child, 'close');
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
