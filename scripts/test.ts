// `npm test`: everything that CI runs. Each check counts as one test; the last lines say what failed and how long it took.
import { ensureRabbitmq, findChromium, findInterpreter, interpreters } from '@leadback/local-stack';
import { runChecks } from './test/checks.ts';
import { runRound } from './test/run-round.ts';
import { closingLines, secondsSince, type Tally } from './test/tally.ts';

// Those that take minutes run in `npm run faults` alone.
const onDemand = 'tests/faults/on-demand/**';

// fault tests run separately: their load and the other tests would make each other time out
const rounds = [
  { name: 'tests', args: '--exclude=tests/faults/**' },
  { name: 'faults', args: `tests/faults --exclude=${onDemand}` },
];

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

// installed before the tests, so that no test waits for it
const tallies = [await installTools(), await runChecks()];
for (const round of rounds) tallies.push(await runRound(round));
say(`\n${closingLines(tallies).join('\n')}`);
process.exitCode = tallies.every(({ failures }) => failures.length === 0) ? 0 : 1;
