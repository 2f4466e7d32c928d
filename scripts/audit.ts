// `npm run audit`: lists known vulnerabilities of the libraries that ship with the apps. Exit status 0: none; 1: some;
// 2: the registry could not be queried. Options of `pnpm audit` go after `--`.
import { runPnpm } from './supply-chain/run-pnpm.ts';

const { status, stdout, stderr } = runPnpm(['audit', '--prod', ...process.argv.slice(2)]);
process.stdout.write(stdout);
process.stderr.write(stderr);
// pnpm exits with 1 in both cases
const wasQueried = status === 0 || !`${stdout}${stderr}`.includes('ERR_PNPM_');
if (wasQueried) process.exitCode = status;
else {
  process.stderr.write(
    '\nThe audit did not run: the configured registry cannot be reached or does not support audits (many mirrors do ' +
      'not). Use one that does: npm run audit -- --registry https://registry.npmjs.org\n',
  );
  process.exitCode = 2;
}
