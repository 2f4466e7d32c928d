// `npm run check`: every check of turbo.json, as `npm test` runs them before its tests; `-- lint typecheck` runs only these.
import { runChecks } from './test/checks.ts';

const { failures } = await runChecks(process.argv.slice(2));
process.exitCode = failures.length === 0 ? 0 : 1;
