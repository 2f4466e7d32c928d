// `npm run check`: every check of turbo.json, which `npm test` runs as well; `-- lint typecheck` runs only these.
import { readWords, refuse } from './read-options.ts';
import { checks, hasPassed, interruptionOf, runChecks } from './test/rounds.ts';

const usage = `npm run check                 every check
npm run check -- CHECK…       some of ${checks.join(', ')}`;

const { positionals: names } = readWords({ allowPositionals: true }, usage);
const unknown = names.filter((name) => !checks.includes(name));
if (unknown.length > 0) refuse(`there is no check ${unknown.join(', ')}\n${usage}`);
const tally = await runChecks(names.length > 0 ? names : checks);
const interruption = interruptionOf([tally]);
if (interruption !== undefined) process.stdout.write(`${interruption}\n`);
process.exitCode = hasPassed([tally]) ? 0 : 1;
