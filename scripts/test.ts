// `npm test`: everything that CI runs. Each check counts as one test; the last lines say what failed and how long it took.
// With paths, it runs the tests there and nothing else.
import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureRabbitmq, findChromium, findInterpreter, interpreters } from '@leadback/testing/stack';
import { readWords, refuse } from './read-options.ts';
import { root } from './start/data-folder.ts';
import {
  builds,
  checks,
  runChecks,
  runRound,
  closingLines,
  hasPassed,
  secondsSince,
  type Tally,
} from './test/rounds.ts';

const usage = `npm test               everything that CI runs, in six to seven minutes on two cores
npm test -- PATH…      the tests of these files and folders, from the sources, without checks

Exit status: 0 if all passed, 1 if not or if it was interrupted, 2 for a wrong command line.`;

// What takes long for what few changes can break runs in `npm run test:long` alone, or if a path names it.
const onDemand = ['tests/faults/on-demand/', 'packages/testing/test/rabbitmq.test.ts'];
const withoutThem = onDemand.map((path) => `--exclude=${path.replace(/\/$/, '/**')}`);

// fault tests mostly wait, the others mostly work: together, and with the checks, they use all of a machine
const rounds = [
  { name: 'tests', args: ['--exclude=tests/faults/**', ...withoutThem] },
  { name: 'faults', args: ['tests/faults', ...withoutThem, '--maxWorkers=1'] },
];
const begin = performance.now();

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** The path from the root, with a slash at the end of a folder: vitest runs each file whose path contains it. */
const inRoot = (path: string): string => {
  const found = join(root, path);
  if (!existsSync(found)) refuse(`there is no ${found}\n${usage}`);
  return `${relative(root, found)}${statSync(found).isDirectory() ? '/' : ''}`;
};

/** Brings what the tests of these paths need, before the tests, so that none waits for it. */
const installTools = async (paths: readonly string[]): Promise<Tally> => {
  const start = performance.now();
  await ensureRabbitmq(say);
  // browsers and other languages are for tests of the whole, in another folder
  if (paths.length === 0 || !paths.every((path) => /^(apps|packages|examples|scripts)\//.test(path))) {
    await findChromium(say);
    for (const name of interpreters) await findInterpreter(name, say);
  }
  return { name: 'tools', seconds: secondsSince(start), passed: 0, failures: [], unfinished: [] };
};

const runEverything = async (): Promise<readonly Tally[]> => {
  // beside the builds, which leave a core free, the other checks; tests start what was built
  const built = runChecks(builds, 'builds');
  const others = runChecks(checks.filter((name) => !builds.includes(name)));
  const tested = rounds.map(async (round) => {
    await built;
    return runRound(round, true);
  });
  return Promise.all([built, others, ...tested]);
};

const runPaths = async (paths: readonly string[]): Promise<readonly Tally[]> => {
  const exclude = onDemand.some((one) => paths.some((path) => path.startsWith(one))) ? [] : withoutThem;
  return [await runRound({ name: 'tests', args: [...paths, ...exclude] }, false)];
};

const { positionals } = readWords({ allowPositionals: true }, usage);
const paths = positionals.map(inRoot);
const tools = await installTools(paths);
const tallies = [tools, ...(await (paths.length === 0 ? runEverything() : runPaths(paths)))];
say(`\n${closingLines(tallies, secondsSince(begin)).join('\n')}`);
process.exitCode = hasPassed(tallies) ? 0 : 1;
