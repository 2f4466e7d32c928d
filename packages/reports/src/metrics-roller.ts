import { preparedStatement } from '@leadback/db';
import { type ChangeRoller, changeRoller } from './change-roller.ts';

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

/** Returns a function that adds changes to the metrics of their accounts. */
export const metricsRoller = (): ChangeRoller => changeRoller(rollUp);
