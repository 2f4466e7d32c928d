import { attemptPartitionsAhead } from '../upkeep/attempt-partitions-ahead.ts';
import type { Check } from './check.ts';
import { ok, warn } from './finding.ts';
import { pluralize } from './format.ts';

const check = 'attempt partitions';
const todo = 'Run `retention apply --attempts 90d` as leadback_owner, and schedule it every night.';

export const checkPartitions: Check = async ({ pool }) => {
  const { monthsAhead, rowsInDefault } = await attemptPartitionsAhead(pool);
  if (rowsInDefault > 0) {
    return [
      warn(
        check,
        `${pluralize(rowsInDefault, 'attempt is', 'attempts are')} in the default partition; none is lost`,
        todo,
      ),
    ];
  }
  if (monthsAhead < 1) return [warn(check, 'there is none for the coming month', todo)];
  return [ok(check, `they exist for the next ${pluralize(monthsAhead, 'month')}`)];
};
