import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { isInterrupted, runTool } from './run-tool.ts';

/** How many checks or tests passed and failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

const turboSchema = z.object({ tasks: z.record(z.string(), z.unknown()) });
const { tasks } = turboSchema.parse(JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8')));

/** The tasks of turbo.json; a task of one package counts as the task of all packages. */
export const checks: readonly string[] = [...new Set(Object.keys(tasks).map((task) => task.replace(/^.*#/, '')))];

export const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(1);

/** Runs the named checks, or all, and prints a line for each. turbo repeats the result of one whose files are unchanged. */
export const runChecks = async (names: readonly string[] = []): Promise<Tally> => {
  const unknown = names.filter((name) => !checks.includes(name));
  if (unknown.length > 0) throw new Error(`no check ${unknown.join(', ')}: there are ${checks.join(', ')}`);
  const tally = { passed: 0, failed: 0 };
  for (const name of names.length > 0 ? names : checks) {
    if (isInterrupted()) break;
    const start = performance.now();
    const status = await runTool(`turbo run ${name} --continue --output-logs=errors-only --log-order=grouped`);
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name} (${secondsSince(start)} s)\n`);
    tally[status === 0 ? 'passed' : 'failed'] += 1;
  }
  return tally;
};
