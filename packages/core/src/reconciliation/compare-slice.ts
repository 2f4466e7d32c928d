import type { PoolClient } from '@leadback/db';
import { compareRows, sumRegistered } from './compare-rows.ts';
import { addedUp, withMoney } from './counts.ts';
import type { OpenReconciliation, WorkedOff } from './open-work.ts';
import { walkConversions } from './walk-conversions.ts';

// a quarter of a second each, of the 2.5 s that a statement may take
const rowsMax = 2_000;
const conversionsMax = 5_000;

/** Compares the next rows of the list. */
export const compareSlice = async (on: PoolClient, work: OpenReconciliation): Promise<WorkedOff> => {
  const { id, mode, compared, rows } = work;
  const last = Math.min(rows, compared + rowsMax);
  // or a plan made while the tables are small would read all clients of the account by whichever index is the smallest, and
  // sort them: each lookup has one index that needs no sorting
  await on.query('set local enable_sort = off');
  const found = await compareRows(on, [id, mode.accountId, mode.isTest, compared, last]);
  const counts = addedUp(work.counts, [
    ...found.map((part) => [part.outcome, part.rows] as const),
    ...found.map((part) => ['undelivered', part.undelivered] as const),
  ]);
  let { money } = work;
  for (const { outcome, currency, amount, undelivered_amount: late } of found) {
    money = withMoney(money, outcome, [{ currency, amount }]);
    money = withMoney(money, 'undelivered', [{ currency, amount: late }]);
  }
  if (found.some(({ outcome }) => outcome === 'amountDiffers')) {
    money = withMoney(money, 'registered', await sumRegistered(on, [id, mode.accountId, compared, last]));
  }
  return { step: last < rows ? 'compare' : 'extra', compared: last, counts, money };
};

/** Looks for the next conversions of the range in the list. */
export const walkSlice = async (on: PoolClient, work: OpenReconciliation): Promise<WorkedOff> => {
  const { id, mode, rows, counts, money, walkedAt, walkedId, until } = work;
  // a plan made while the table is small, or not analyzed, would read and sort the whole range for each slice
  await on.query('set local enable_bitmapscan = off');
  const [walk] = await walkConversions(on, [
    id,
    mode.accountId,
    mode.isTest,
    walkedAt,
    walkedId,
    until,
    conversionsMax,
    rows + counts.extra,
  ]);
  if (!walk) throw new Error('the walk returned no row');
  return {
    step: walk.walked < conversionsMax ? null : 'extra',
    counts: addedUp(counts, [['extra', walk.extra]]),
    money: withMoney(money, 'extra', walk.amounts),
    walkedAt: walk.last_at ?? walkedAt,
    walkedId: walk.last_id ?? walkedId,
  };
};
