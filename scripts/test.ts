// `npm test`: everything that CI runs. Each check counts as one test; the last line has the totals.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureRabbitmq, findChromium, findInterpreter, forgetServer, interpreters } from '@leadback/local-stack';
import { z } from 'zod';
import { root } from './start/data-folder.ts';

const checks = [
  ['types and bundles', 'turbo run typecheck build --output-logs=errors-only --log-order=grouped'],
  ['types of the scripts', 'tsc --noEmit'],
  ['format', 'biome format --error-on-warnings .'],
  ['lint', 'oxlint --type-aware --deny-warnings .'],
  ['layers', 'depcruise --config .dependency-cruiser.cjs apps packages tests scripts'],
  ['unused code', 'knip --no-progress --treat-config-hints-as-errors'],
] as const;

// fault tests run separately: their load and the other tests would make each other time out
const rounds = [
  { args: '--exclude=tests/faults/**', folder: join(tmpdir(), `leadback-test-${process.pid}`) },
  { args: 'tests/faults', folder: join(tmpdir(), `leadback-test-${process.pid}-faults`) },
];

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

let running: ReturnType<typeof spawn> | undefined;
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    running?.kill(signal);
  });
}

/** Resolves with the exit status of a tool. Prints the output of tests at once, of other tools only if they fail. */
const run = (command: string, testFolder?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const [file = '', ...args] = command.split(' ');
    const child = spawn(join(root, 'node_modules', '.bin', file), args, {
      cwd: root,
      env: {
        ...process.env,
        TURBO_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        // the tests start hundreds of processes with the same sources
        NODE_COMPILE_CACHE: join(tmpdir(), 'leadback-test-compiled'),
        ...(testFolder !== undefined && { LEADBACK_TEST_FOLDER: testFolder }),
      },
      stdio: testFolder === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    running = child;
    let output = '';
    const keep = (text: Buffer) => {
      output += text.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (status) => {
      if (status !== 0) process.stdout.write(output);
      resolve(status ?? 1);
    });
  });

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);

const runChecks = async (): Promise<{ passed: number; failed: number }> => {
  const tally = { passed: 0, failed: 0 };
  for (const [name, command] of checks) {
    if (isInterrupted) break;
    const start = performance.now();
    const status = await run(command);
    say(`${status === 0 ? '✓' : '✗'} ${name} (${seconds(start)} s)`);
    tally[status === 0 ? 'passed' : 'failed'] += 1;
  }
  return tally;
};

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

const runTests = async ({ args, folder }: (typeof rounds)[number]): Promise<{ passed: number; failed: number }> => {
  if (isInterrupted) return { passed: 0, failed: 1 };
  const report = join(folder, 'report.json');
  const status = await run(`vitest run ${args} --reporter=default --reporter=json --outputFile.json=${report}`, folder);
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

const cleanUpMaxMs = 15_000;

/** Ends the servers of interrupted tests. Retries, because their processes may still be exiting. */
const cleanUp = async (testFolder: string, until = Date.now() + cleanUpMaxMs): Promise<void> => {
  try {
    const folders = existsSync(testFolder) ? readdirSync(testFolder, { withFileTypes: true }) : [];
    for (const folder of folders) if (folder.isDirectory()) await forgetServer(join(testFolder, folder.name));
    rmSync(testFolder, { recursive: true, force: true });
  } catch (error) {
    if (Date.now() > until) throw error;
    await pause(200);
    await cleanUp(testFolder, until);
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
say(`\n${seconds(start)} s\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
