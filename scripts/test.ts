// `npm test`: everything that CI runs. Each check counts as one test; the last lines say what failed and how long it took.
import { ensureRabbitmq, findChromium, findInterpreter, interpreters } from '@leadback/local-stack';
import { builds, checks, runChecks, runRound, closingLines, secondsSince, type Tally } from './test/rounds.ts';

// Those that take minutes run in `node scripts/run.mjs faults` alone.
const onDemand = 'tests/faults/on-demand/**';

// fault tests mostly wait, the others mostly work: together, and with the checks, they use all of a machine
const rounds = [
  { name: 'tests', args: '--exclude=tests/faults/**' },
  { name: 'faults', args: `tests/faults --exclude=${onDemand} --maxWorkers=2` },
];
const begin = performance.now();

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const installTools = async (): Promise<Tally> => {
  const start = performance.now();
  await ensureRabbitmq(say);
  await findChromium(say);
  for (const name of interpreters) await findInterpreter(name, say);
  return { name: 'tools', seconds: secondsSince(start), passed: 0, failures: [] };
};

// before the tests, so that no test waits for it
const tallies = [await installTools(), await runChecks(builds, 'builds')];
const otherChecks = checks.filter((name) => !builds.includes(name));
tallies.push(...(await Promise.all([runChecks(otherChecks), ...rounds.map(runRound)])));
say(`\n${closingLines(tallies, secondsSince(begin)).join('\n')}`);
process.exitCode = tallies.every(({ failures }) => failures.length === 0) ? 0 : 1;
