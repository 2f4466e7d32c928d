// `npm run check`: every check of turbo.json, which `npm test` runs as well; `-- lint typecheck` runs only these.
import { checks, runChecks } from './test/rounds.ts';

const names = process.argv.slice(2);
const { failures } = await runChecks(names.length > 0 ? names : checks);
process.exitCode = failures.length === 0 ? 0 : 1;
