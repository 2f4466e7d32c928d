// `npm run audit`: asks the registry what is known against the libraries that come with the apps. Exit status 0: nothing;
// 1: something, listed; 2: the registry could not be asked. Options of `pnpm audit` go behind `--`.
import { runPnpm } from './supply-chain/run-pnpm.ts';

const { status, stdout, stderr } = runPnpm(['audit', '--prod', ...process.argv.slice(2)]);
process.stdout.write(stdout);
process.stderr.write(stderr);
// pnpm ends with 1 in both cases
const wasAsked = status === 0 || !`${stdout}${stderr}`.includes('ERR_PNPM_');
if (wasAsked) process.exitCode = status;
else {
  process.stderr.write(
    '\nNothing is known: the registry that packages come from here could not be asked, or does not answer such ' +
      'questions (many mirrors do not). Ask one that does: npm run audit -- --registry https://registry.npmjs.org\n',
  );
  process.exitCode = 2;
}
