import { readAppRoles, tablesWithoutRights } from './server-facts.ts';
import type { Check } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { truncateList } from './format.ts';

const check = 'database roles';

export const checkRoles: Check = async ({ em }) => {
  const [roles, closed] = await Promise.all([readAppRoles(em), tablesWithoutRights(em)]);
  const findings: Finding[] = [];
  if (closed.length > 0) {
    findings.push(
      fail(
        check,
        `the role in DATABASE_URL may not select, insert, update and delete in ${truncateList(closed)}`,
        'Use leadback_console: `database migrate`, run by the owner, grants it these privileges.',
      ),
    );
  }
  const sharedRoles = roles.filter(({ apps }) => apps.length > 1);
  if (sharedRoles.length > 0) {
    const named = sharedRoles.map(({ role, apps }) => `${apps.join(', ')} as ${role}`).join('; ');
    findings.push(
      warn(
        check,
        `several apps share a role, so each may do what the others need: ${named}`,
        'Give each app its own role: leadback_landing, leadback_api, leadback_feedback_worker, leadback_console.',
      ),
    );
  }
  const schemaRoles = roles.filter(({ mayChangeSchema }) => mayChangeSchema);
  if (schemaRoles.length > 0) {
    const named = schemaRoles.map(({ role, apps }) => `${apps.join(', ')} as ${role}`).join('; ');
    findings.push(
      warn(
        check,
        `apps are connected with a role that may change the schema: ${named}`,
        'Give each app its own role, which may only read and write rows, and use the owner only to migrate and to apply retention.',
      ),
    );
  }
  const names = roles.flatMap(({ apps }) => apps);
  if (!names.includes('leadback api')) {
    findings.push(
      warn('api', 'no api is connected to this database', 'Start it: the api also publishes due deliveries.'),
    );
  }
  return findings.length > 0 ? findings : [ok(check, 'apps may read and write rows but not change the schema')];
};
