import { readMigrationFacts } from '@leadback/db';
import type { Check } from './check.ts';
import { ok, warn, wrong } from './finding.ts';
import { counted, fewOf } from './in-words.ts';

const check = 'migrations';

/** Whether the database is as new as this code. */
export const checkMigrations: Check = async ({ em }) => {
  const { pending, unknown } = await readMigrationFacts(em);
  if (pending.length > 0) {
    return [
      wrong(
        check,
        `${counted(pending.length, 'migration has', 'migrations have')} not run: ${fewOf(pending)}`,
        'Run `database migrate` with the DATABASE_URL of the role that owns the tables, before new apps are deployed.',
      ),
    ];
  }
  if (unknown.length > 0) {
    return [
      warn(
        check,
        `the database is newer than this operator, which does not know ${fewOf(unknown)}`,
        'Fine while newer apps are being deployed. Use the operator that comes with them.',
      ),
    ];
  }
  return [ok(check, 'all have run')];
};
