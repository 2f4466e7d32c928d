// `npm test`: everything that CI runs. Each check counts as one test; the last line has the totals.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRabbitmq, findChromium, findInterpreter, interpreters } from '@leadback/local-stack';
import { z } from 'zod';
import { cleanUp } from './test/clean-up.ts';
import { runChecks, secondsSince, type Tally } from './test/checks.ts';
import { isInterrupted, runTool } from './test/run-tool.ts';

// fault tests and the plans of two million rows run separately: their load and the other tests would make each other time out
const plans = 'tests/database/plans.test.ts';
const rounds = [
  { args: `--exclude=tests/faults/** --exclude=${plans}`, folder: join(tmpdir(), `leadback-test-${process.pid}`) },
  { args: plans, folder: join(tmpdir(), `leadback-test-${process.pid}-plans`) },
  { args: 'tests/faults', folder: join(tmpdir(), `leadback-test-${process.pid}-faults`) },
];

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

const runTests = async ({ args, folder }: (typeof rounds)[number]): Promise<Tally> => {
  if (isInterrupted()) return { passed: 0, failed: 1 };
  const report = join(folder, 'report.json');
  const status = await runTool(
    `vitest run ${args} --reporter=default --reporter=json --outputFile.json=${report}`,
    folder,
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = reportSchema.parse(
      JSON.parse(readFileSync(report, 'utf8')),
    );
    // a file that does not load has no failed tests, and a skipped test has not passed
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    const failed = numFailedTests + numPendingTests + broken;
    return { passed: numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
};

const start = performance.now();
// installed before the tests, so that no test waits for it
await ensureRabbitmq(say);
await findChromium(say);
for (const name of interpreters) await findInterpreter(name, say);
const ofChecks = await runChecks();
const tallies = [ofChecks];
for (const round of rounds) {
  tallies.push(await runTests(round));
  await cleanUp(round.folder);
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
say(`\n${secondsSince(start)} s\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
