import { readMigrationFacts } from '@leadback/db';
import type { Check } from './check.ts';
import { ok, warn, wrong } from './finding.ts';
import { pluralize, truncateList } from './format.ts';

const check = 'migrations';

/** Whether the database is as new as this code. */
export const checkMigrations: Check = async ({ em }) => {
  const { pending, unknown } = await readMigrationFacts(em);
  if (pending.length > 0) {
    return [
      wrong(
        check,
        `${pluralize(pending.length, 'migration has', 'migrations have')} not run: ${truncateList(pending)}`,
        'Run `database migrate` with the DATABASE_URL of the role that owns the tables, before new apps are deployed.',
      ),
    ];
  }
  if (unknown.length > 0) {
    return [
      warn(
        check,
        `the database is newer than this operator, which does not know ${truncateList(unknown)}`,
        'Fine while newer apps are being deployed. Use the operator that comes with them.',
      ),
    ];
  }
  return [ok(check, 'all have run')];
};
