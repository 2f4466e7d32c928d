import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Runs `npm run <task> -- <argument…>` to its end. */
export const runTask = async (
  task: string,
  ...args: readonly string[]
): Promise<{ status: number | null; output: string }> => {
  const child = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), task, ...args], { cwd: root });
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
