// `npm run advisories`: asks the registry which libraries of the lockfile have known vulnerabilities, and adds them to the
// list that `npm test` compares with the lockfile. Exit status 2: the registry could not be queried. Options of
// `pnpm audit` go after `--`.
import { z } from 'zod';
import { addAdvisories } from './supply-chain/known-advisories.ts';
import { runPnpm } from './supply-chain/run-pnpm.ts';

const reportSchema = z.object({
  advisories: z.record(
    z.string(),
    z.object({ module_name: z.string(), vulnerable_versions: z.string(), github_advisory_id: z.string() }),
  ),
});

const { stdout, stderr } = runPnpm(['audit', '--json', ...process.argv.slice(2)]);
if (`${stdout}${stderr}`.includes('ERR_PNPM_')) {
  process.stderr.write(
    `${stderr}\nThe list is unchanged: the configured registry cannot be reached or does not support audits. Use one that ` +
      'does: npm run advisories -- --registry https://registry.npmjs.org\n',
  );
  process.exitCode = 2;
} else {
  const { advisories } = reportSchema.parse(JSON.parse(stdout));
  const added = addAdvisories(
    Object.values(advisories).map((one) => {
      return { id: one.github_advisory_id, package: one.module_name, vulnerable: one.vulnerable_versions };
    }),
  );
  process.stdout.write(`${added} new advisories\n`);
}
