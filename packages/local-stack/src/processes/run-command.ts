import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const inheritedNames = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** The only variables that a child process inherits. */
export const inheritedEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const run = promisify(execFile);

/** Returns the standard output of a command. Throws with its standard error if it fails. */
export const runCommand = async (
  [file, ...args]: readonly [file: string, ...args: string[]],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<string> => {
  const { stdout } = await run(file, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
  return stdout;
};
