import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readFileSync, existsSync, statfsSync, readdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { forgetServer } from '@leadback/testing/stack';
import { root } from '../start/data-folder.ts';

const running = new Set<ReturnType<typeof spawn>>();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill(signal);
  });
}

/** Whether a signal has asked this process to end. */
export const isInterrupted = (): boolean => interrupted;

/**
 * Resolves with the exit status of a tool. Prints the output of tests at once, of other tools only if they fail. `settings`
 * are further environment variables.
 */
export const runTool = (
  [file, ...args]: readonly [string, ...string[]],
  testFolder?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', file), args, {
      cwd: root,
      env: {
        ...process.env,
        TURBO_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        // the tests start hundreds of processes with the same sources
        NODE_COMPILE_CACHE: join(tmpdir(), 'leadback-test-compiled'),
        ...settings,
        ...(testFolder !== undefined && { LEADBACK_TEST_FOLDER: testFolder }),
      },
      stdio: testFolder === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    let output = '';
    const keep = (text: Buffer) => {
      output += text.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (status) => {
      running.delete(child);
      if (status !== 0 && !interrupted) process.stdout.write(output);
      resolve(status ?? 1);
    });
  });

/** The result of a part of `npm test`. */
export interface Tally {
  readonly name: string;
  readonly seconds: number;
  /** how many checks or tests */
  readonly passed: number;
  /** a name and a message for each check or test that did not pass */
  readonly failures: readonly string[];
  /** what a signal has kept from ending, or from starting */
  readonly unfinished: readonly string[];
}

/** `start`: of `performance.now()`. */
export const secondsSince = (start: number): number => (performance.now() - start) / 1000;

export const hasPassed = (tallies: readonly Tally[]): boolean =>
  tallies.every(({ failures, unfinished }) => failures.length === 0 && unfinished.length === 0);

/** Says what has not run to its end; undefined if all has. */
export const interruptionOf = (tallies: readonly Tally[]): string | undefined => {
  const unfinished = tallies.flatMap((tally) => tally.unfinished);
  return unfinished.length > 0 ? `interrupted before the end of: ${unfinished.join(', ')}` : undefined;
};

/**
 * The closing lines of `npm test`: what failed, how long each part and all of it took, and the totals, which CI reads from the
 * last line. That line also says if the run was interrupted, and what has not run to its end.
 */
export const closingLines = (tallies: readonly Tally[], seconds: number): readonly string[] => {
  const failures = tallies.flatMap((tally) => tally.failures);
  const passed = tallies.reduce((total, tally) => total + tally.passed, 0);
  const interruption = interruptionOf(tallies);
  return [
    ...failures.map((failure) => `✗ ${failure}`),
    ...tallies.map((part) => `${part.seconds.toFixed(1).padStart(8)} s  ${part.name}`),
    `${seconds.toFixed(1)} s`,
    `${passed} passed, ${failures.length} failed${interruption === undefined ? '' : `; ${interruption}`}`,
  ];
};

const turboSchema = z.object({ tasks: z.record(z.string(), z.unknown()) });
const { tasks } = turboSchema.parse(JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8')));

/** Those that tests need: they start the bundles of the apps. */
export const builds: readonly string[] = ['build:web', 'build'];

/** The tasks of turbo.json; a task of one package counts as the task of all packages. */
export const checks: readonly string[] = [...new Set(Object.keys(tasks).map((task) => task.replace(/^.*#/, '')))];

/** Runs the named checks and prints a line for each. turbo repeats the result of one whose files are unchanged. */
export const runChecks = async (names: readonly string[], title = 'checks'): Promise<Tally> => {
  const failures: string[] = [];
  const unfinished: string[] = [];
  let passed = 0;
  let seconds = 0;
  for (const name of names) {
    const start = performance.now();
    const turbo = ['turbo', 'run', name, '--continue', '--output-logs=errors-only', '--log-order=grouped'] as const;
    const status = isInterrupted() ? undefined : await runTool(turbo);
    if (status !== 0 && isInterrupted()) {
      unfinished.push(name);
      continue;
    }
    const took = secondsSince(start);
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name} (${took.toFixed(1)} s)\n`);
    seconds += took;
    if (status === 0) passed += 1;
    else failures.push(name);
  }
  return { name: title, seconds, passed, failures, unfinished };
};

const memory = '/dev/shm';
// all test databases take five
const bytesFree = 8 * 1024 ** 3;

const hasRoomInMemory = (): boolean => {
  if (!existsSync(memory) || process.availableMemory() < 1.5 * bytesFree) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= bytesFree;
};

/**
 * A folder for the servers of a round of tests: in memory if that has room, because to create a database takes five to ten
 * times as much of a processor on a disk.
 */
const folderOfRound = (name: string): string =>
  join(hasRoomInMemory() ? memory : tmpdir(), `leadback-test-${process.pid}-${name}`);

const cleanUpMaxMs = 15_000;

/** Ends the servers of interrupted tests. Retries, because their processes may still be exiting. */
export const cleanUp = async (testFolder: string, until = Date.now() + cleanUpMaxMs): Promise<void> => {
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

/** Tests that run at the same time. */
interface Round {
  /** also in the name of a folder, so without spaces */
  readonly name: string;
  /** arguments of vitest */
  readonly args: readonly string[];
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

/**
 * Runs the tests of a round, whose output is printed as they end. What they write is removed. `areBuilt`: the tests start the
 * bundles of the apps.
 */
export const runRound = async ({ name, args }: Round, areBuilt: boolean): Promise<Tally> => {
  const none = { name, seconds: 0, passed: 0, failures: [], unfinished: [name] };
  if (isInterrupted()) return none;
  const start = performance.now();
  const folder = folderOfRound(name);
  const report = join(folder, 'report.json');
  const status = await runTool(
    ['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    folder,
    { LEADBACK_TEST_BUNDLES: String(areBuilt) },
  );
  const isUnfinished = status !== 0 && isInterrupted();
  const outcome = isUnfinished ? none : { ...outcomeOf(name, report, status), unfinished: [] };
  await cleanUp(folder);
  return { ...outcome, name, seconds: secondsSince(start) };
};
