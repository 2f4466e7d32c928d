import { attemptPartitionsAhead } from '@leadback/db';
import type { Check } from './check.ts';
import { ok, warn } from './finding.ts';
import { pluralize } from './format.ts';

const check = 'attempt partitions';
const todo = 'Run `retention apply --attempts 90d` as leadback_owner, and see that it runs every night.';

/** Whether attempts of the coming weeks have partitions of their own. */
export const checkPartitions: Check = async ({ pool }) => {
  const { monthsAhead, rowsInDefault } = await attemptPartitionsAhead(pool);
  if (rowsInDefault > 0) {
    return [
      warn(check, `${pluralize(rowsInDefault, 'attempt')} had to be kept in the default partition; none is lost`, todo),
    ];
  }
  if (monthsAhead < 1) return [warn(check, 'there is none for the coming month', todo)];
  return [ok(check, `there are ${pluralize(monthsAhead, 'month')} ahead`)];
};
