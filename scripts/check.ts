// `npm run check`: every check of turbo.json, as `npm test` runs them before its tests; `-- lint typecheck` runs only these.
import { runChecks } from './test/checks.ts';

const { failed } = await runChecks(process.argv.slice(2));
process.exitCode = failed === 0 ? 0 : 1;
