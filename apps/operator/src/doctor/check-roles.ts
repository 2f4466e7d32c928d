import { readAppRoles, tablesWithoutRights } from '@leadback/db';
import type { Check } from './check.ts';
import { type Finding, ok, warn, wrong } from './finding.ts';
import { truncateList } from './format.ts';

const check = 'database roles';

/** Whether the apps' role may do what it has to, and no more. */
export const checkRoles: Check = async ({ em }) => {
  const [roles, closed] = await Promise.all([readAppRoles(em), tablesWithoutRights(em)]);
  const findings: Finding[] = [];
  if (closed.length > 0) {
    findings.push(
      wrong(
        check,
        `the role of DATABASE_URL may not select, insert, update and delete in ${truncateList(closed)}`,
        'Use the role that the apps use, or grant it that. `database migrate`, run by the owner, does so for leadback_app.',
      ),
    );
  }
  const mighty = roles.filter(({ mayChangeSchema }) => mayChangeSchema);
  if (mighty.length > 0) {
    const named = mighty.map(({ role, apps }) => `${apps.join(', ')} as ${role}`).join('; ');
    findings.push(
      warn(
        check,
        `apps are connected with a role that may change the tables themselves: ${named}`,
        'Give them one that may only read and write rows, and keep the owner for `database migrate`.',
      ),
    );
  }
  const names = roles.flatMap(({ apps }) => apps);
  if (!names.includes('leadback api')) {
    findings.push(
      warn(
        'api',
        'no api is connected to this database',
        'Start it: besides what partners call, it publishes the feedback that is due.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(check, 'apps may read and write rows, and change no table')];
};
