import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { cleanUp } from './clean-up.ts';
import { isInterrupted, runTool } from './run-tool.ts';
import { secondsSince, type Tally } from './tally.ts';
import { testFolder } from './test-folder.ts';

/** Tests that run at the same time. */
export interface Round {
  /** also in the name of a folder, so without spaces */
  readonly name: string;
  /** arguments of vitest */
  readonly args: string;
}

type Outcome = Pick<Tally, 'passed' | 'failures'>;

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

const linesMax = 30;

/** Without the stack, which the output of vitest shows. An app that did not start has its last log lines in the message. */
const messageOf = (text: string | undefined): string => {
  const [message = ''] = (text ?? '').trim().split(/\n\s+at /);
  return message.split('\n').slice(0, linesMax).join('\n    ');
};

/** Counts a skipped test as failed, because it has not passed, and a file that fails without a failed test, as in a hook, as one. */
const tallyOf = (report: unknown): Outcome => {
  const { testResults } = reportSchema.parse(report);
  let passed = 0;
  const failures: string[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      failures.push(`${file}: ${messageOf(message) || 'failed outside its tests'}`);
    for (const test of assertionResults) {
      if (test.status === 'passed') passed += 1;
      else failures.push(`${file}: ${test.fullName}: ${messageOf(test.failureMessages[0]) || test.status}`);
    }
  }
  return { passed, failures };
};

const outcomeOf = (name: string, report: string, status: number): Outcome => {
  try {
    const { passed, failures } = tallyOf(JSON.parse(readFileSync(report, 'utf8')));
    const isUnexplained = status !== 0 && failures.length === 0;
    return { passed, failures: isUnexplained ? [`${name}: vitest ended with ${status}`] : failures };
  } catch (error) {
    return { passed: 0, failures: [`${name}: no report of vitest, which ended with ${status}: ${String(error)}`] };
  }
};

/** Runs the tests of a round, whose output is printed as they end. What they write is removed. */
export const runRound = async ({ name, args }: Round): Promise<Tally> => {
  if (isInterrupted()) return { name, seconds: 0, passed: 0, failures: [`${name}: interrupted`] };
  const start = performance.now();
  const folder = testFolder(name);
  const report = join(folder, 'report.json');
  const status = await runTool(
    `vitest run ${args} --reporter=default --reporter=json --outputFile.json=${report}`,
    folder,
    // the checks have built them: tests start hundreds of apps
    { LEADBACK_TEST_BUNDLES: 'true' },
  );
  const outcome = outcomeOf(name, report, status);
  await cleanUp(folder);
  return { name, seconds: secondsSince(start), ...outcome };
};
