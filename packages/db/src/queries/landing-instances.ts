import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';

// an instance writes twice a second; one that was killed is forgotten after a day, with whatever it had not written
const silentAfter = `interval '2 seconds'`;
const forgottenAfter = `interval '1 day'`;

/** SQL: whether a landing app has leads still to write, or is silent and so may have. */
export const someLeadsUnderWay = `exists (
  select from landing_instance
  where (is_behind or seen_at < now() - ${silentAfter}) and seen_at > now() - ${forgottenAfter})`;

const note = preparedStatement(
  'note-landing-instance',
  `with forgotten as (delete from landing_instance where seen_at <= now() - ${forgottenAfter} and id <> $1)
   insert into landing_instance (id, is_behind) values ($1, $2)
   on conflict (id) do update set seen_at = now(), is_behind = excluded.is_behind`,
);

/** Notes that a landing app is there, and whether it knows of leads that are not written yet. */
export const noteLandingInstance = async (pool: Pool, id: string, isBehind: boolean): Promise<void> => {
  await note(pool, [id, isBehind]);
};

const forget = preparedStatement('forget-landing-instance', 'delete from landing_instance where id = $1');

/** Forgets a landing app that ends with all its leads written. */
export const forgetLandingInstance = async (pool: Pool, id: string): Promise<void> => {
  await forget(pool, [id]);
};
