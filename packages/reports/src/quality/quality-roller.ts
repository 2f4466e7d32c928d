import { preparedStatement } from '@leadback/db';
import { type ChangeRoller, changeRoller } from '../change-roller.ts';

// Concurrent calls are safe, as those of the metrics.
const rollUp = preparedStatement<{ rolled_up: number; first_id: number | null }>(
  'roll-up-quality',
  `with taken as (
     delete from quality_change where id = any(array(
       select id from quality_change where id >= $2 order by id limit $1 for update skip locked))
     returning *
   ), summed as (
     insert into quality_day (account_id, day, platform, state, reason, match_keys, deliveries)
     select account_id, day, platform, state, reason, match_keys, sum(change)
     from taken group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
     on conflict (account_id, day, platform, state, reason, match_keys)
       do update set deliveries = quality_day.deliveries + excluded.deliveries
   )
   select count(*) as rolled_up, min(id) as first_id from taken`,
);

/** Returns a function that adds changes to the quality counts of their accounts. */
export const qualityRoller = (): ChangeRoller => changeRoller(rollUp);
