import { preparedStatement, type Queryable } from '@leadback/db';

// Concurrent calls are safe: each takes rows of its own. Sorted, so that they cannot deadlock on each other's sums.
const rollUp = preparedStatement<{ rolled_up: number; first_id: number | null }>(
  'roll-up-metrics',
  `with taken as (
     delete from metric_change where id = any(array(
       select id from metric_change where id >= $2 order by id limit $1 for update skip locked))
     returning *
   ), summed as (
     insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
     select account_id, day, landing_page_id, campaign, measure, sum(change)
     from taken group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
     on conflict (account_id, day, landing_page_id, campaign, measure)
       do update set value = account_metric.value + excluded.value
   )
   select count(*) as rolled_up, min(id) as first_id from taken`,
);

// a transaction that began so long ago has committed its changes or never will
const commitMaxMs = 15_000;
// from time to time everything is read, in case one took longer all the same, or did not commit a round
const markKeptMs = 600_000;

interface Round {
  readonly beganAt: number;
  /** The first change that it has rolled up: no earlier one was left. */
  readonly firstId: number;
}

/**
 * Returns a function that adds at most `changesMax` changes to the metrics of their accounts, and returns how many.
 * Remembers which change was the oldest: while a long snapshot (a backup) keeps deleted changes in the table, reading
 * them again in every round would cost more each time.
 */
export const metricsRoller = (): ((on: Queryable, changesMax: number) => Promise<number>) => {
  let rounds: Round[] = [];
  let isReadFrom = -Infinity;

  const markAt = (now: number): number => {
    if (now - isReadFrom > markKeptMs) {
      isReadFrom = now;
      rounds = [];
    }
    const settled = rounds.findLastIndex(({ beganAt }) => now - beganAt > commitMaxMs);
    rounds = rounds.slice(Math.max(0, settled));
    return settled === -1 ? 0 : (rounds[0]?.firstId ?? 0);
  };

  return async (on, changesMax) => {
    const beganAt = performance.now();
    const [row] = await rollUp(on, [changesMax, markAt(beganAt)]);
    if (row !== undefined && row.first_id !== null) rounds.push({ beganAt, firstId: row.first_id });
    return row?.rolled_up ?? 0;
  };
};
