import { readMigrationFacts } from '@leadback/db';
import type { Check } from './check.ts';
import { fail, ok, warn } from './finding.ts';
import { pluralize, truncateList } from './format.ts';

const check = 'migrations';

export const checkMigrations: Check = async ({ em }) => {
  const { pending, unknown } = await readMigrationFacts(em);
  if (pending.length > 0) {
    return [
      fail(
        check,
        `${pluralize(pending.length, 'migration has', 'migrations have')} not run: ${truncateList(pending)}`,
        'Run `database migrate` with the DATABASE_URL of the role that owns the tables, before you deploy new apps.',
      ),
    ];
  }
  if (unknown.length > 0) {
    return [
      warn(
        check,
        `the database is newer than this operator; unknown migrations: ${truncateList(unknown)}`,
        'Expected while newer apps are being deployed. Use the operator of the same version.',
      ),
    ];
  }
  return [ok(check, 'all have run')];
};
