import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

const run = async (...args: readonly string[]): Promise<Ended> => {
  const child = spawn(process.execPath, args, { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  }
  const status = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { status, output };
};

/** Runs `npm run <task> -- <argument…>` to its end. */
export const runTask = (task: string, ...args: readonly string[]): Promise<Ended> =>
  run(join(root, 'scripts', 'run.mjs'), task, ...args);

/** Runs the script of a task that needs no other program, without what `npm run` does first. */
export const runScript = (task: string, ...args: readonly string[]): Promise<Ended> =>
  run(join(root, 'scripts', `${task}.ts`), ...args);
