import type { Check } from './check.ts';
import { type FailoverEntry, findFailoverEntries, shownDays } from './failover-entries.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { pluralize } from './format.ts';

const check = 'failovers';
const document = 'docs/backup-and-restore.md, "After a failover"';

type Lost = Extract<FailoverEntry, { action: 'registration.lose' }>;

const findingOfLost = ({ accountId, details }: Lost): Finding => {
  const { count, from, to } = details;
  const kinds = (['clients', 'conversions', 'adjustments'] as const).filter((kind) => details[kind] !== '');
  const named = kinds.map((kind) => `${kind} ${details[kind]}`).join('; ');
  return fail(
    check,
    `a failover lost ${pluralize(count, 'registration')} of account ${accountId}, accepted from ${from} to ${to}: ${named}`,
    `Let the partner send them again, with the same references (${document}). Use a synchronous standby.`,
  );
};

const findingOfUncompared = (at: Date): Finding =>
  warn(
    check,
    `PostgreSQL was promoted at ${at.toISOString()}, and no api has compared what it accepted before: none has run since before it`,
    `If the standby was not synchronous, let partners compare their sales with \`POST /reconciliation\` (${document}).`,
  );

/** Lists what the apis accepted and a promoted server lacks. */
export const checkFailovers: Check = async ({ pool }) => {
  const entries = await findFailoverEntries(pool);
  const promotions = entries.filter((entry) => entry.action === 'database.promoted');
  if (promotions.length === 0) return [ok(check, `none within ${shownDays} days`)];
  const compared = entries.filter((entry) => entry.action === 'registration.compare');
  const findings = [
    ...entries.filter((entry) => entry.action === 'registration.lose').map(findingOfLost),
    ...promotions
      .filter(({ details }) => !compared.some((one) => one.details.server === details.after))
      .map(({ at }) => findingOfUncompared(at)),
  ];
  if (findings.length > 0) return findings;
  const count = compared.reduce((sum, { details }) => sum + details.compared, 0);
  return [
    ok(
      check,
      `${pluralize(promotions.length, 'promotion')} within ${shownDays} days; of ${pluralize(count, 'registration')} that the apis accepted before, none is missing`,
    ),
  ];
};
