import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { isInterrupted, runTool } from './run-tool.ts';
import { secondsSince, type Tally } from './tally.ts';

const turboSchema = z.object({ tasks: z.record(z.string(), z.unknown()) });
const { tasks } = turboSchema.parse(JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8')));

/** Those that tests need: they start the bundles of the apps. */
export const builds: readonly string[] = ['build:web', 'build'];

/** The tasks of turbo.json; a task of one package counts as the task of all packages. */
export const checks: readonly string[] = [...new Set(Object.keys(tasks).map((task) => task.replace(/^.*#/, '')))];

/** Runs the named checks and prints a line for each. turbo repeats the result of one whose files are unchanged. */
export const runChecks = async (names: readonly string[], title = 'checks'): Promise<Tally> => {
  const unknown = names.filter((name) => !checks.includes(name));
  if (unknown.length > 0) throw new Error(`no check ${unknown.join(', ')}: there are ${checks.join(', ')}`);
  const failures: string[] = [];
  let passed = 0;
  let seconds = 0;
  for (const name of names) {
    if (isInterrupted()) break;
    const start = performance.now();
    const status = await runTool(`turbo run ${name} --continue --output-logs=errors-only --log-order=grouped`);
    const took = secondsSince(start);
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name} (${took.toFixed(1)} s)\n`);
    seconds += took;
    if (status === 0) passed += 1;
    else failures.push(name);
  }
  return { name: title, seconds, passed, failures };
};
