import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { isInterrupted, runTool } from './run-tool.ts';
import type { Tally } from './tally.ts';

/** Tests that run at the same time. */
export interface Round {
  readonly name: string;
  /** arguments of vitest */
  readonly args: string;
  /** keeps the report and everything that the tests write */
  readonly folder: string;
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

const firstLine = (text: string | undefined): string => text?.trim().split('\n')[0] ?? '';

/** Counts a skipped test as failed, because it has not passed, and a file that does not load as one failed test. */
export const tallyOf = (report: unknown): Pick<Tally, 'passed' | 'failures'> => {
  const { testResults } = reportSchema.parse(report);
  let passed = 0;
  const failures: string[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    if (status === 'failed' && assertionResults.length === 0) failures.push(`${file}: ${firstLine(message)}`);
    for (const test of assertionResults) {
      if (test.status === 'passed') passed += 1;
      else failures.push(`${file}: ${test.fullName}: ${firstLine(test.failureMessages[0]) || test.status}`);
    }
  }
  return { passed, failures };
};

/** Runs the tests of a round, whose output is printed as they end. */
export const runRound = async ({ name, args, folder }: Round): Promise<Tally> => {
  if (isInterrupted()) return { name, seconds: 0, passed: 0, failures: [`${name}: interrupted`] };
  const start = performance.now();
  const report = join(folder, 'report.json');
  const status = await runTool(
    `vitest run ${args} --reporter=default --reporter=json --outputFile.json=${report}`,
    folder,
  );
  const ended = { name, seconds: (performance.now() - start) / 1000 };
  try {
    const { passed, failures } = tallyOf(JSON.parse(readFileSync(report, 'utf8')));
    const isUnexplained = status !== 0 && failures.length === 0;
    return { ...ended, passed, failures: isUnexplained ? [`${name}: vitest ended with ${status}`] : failures };
  } catch (error) {
    return {
      ...ended,
      passed: 0,
      failures: [`${name}: no report of vitest, which ended with ${status}: ${String(error)}`],
    };
  }
};
