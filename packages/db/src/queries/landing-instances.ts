import type { Pool } from 'pg';
import { z } from 'zod';
import type { EntityManager } from '../database.ts';
import { preparedStatement } from '../prepared-statement.ts';

/** What a landing app tells of itself, twice a second. */
export interface LandingNote {
  readonly id: string;
  /** Whether it knows of leads that are not written yet. */
  readonly isBehind: boolean;
  /** Tells the folder in which it keeps leads from any other; null where it ends with none in there. */
  readonly spool: string | null;
  /** Whether requests come by way of a proxy although it trusts none. */
  readonly ignoresProxy: boolean;
}

/** A landing app that has said nothing for so long may hold leads. */
const silentAfterSeconds = 2;
// time enough to be started again on its disk; until then it may hold leads
const forgottenAfter = `interval '1 hour'`;

/** For how long a lead may be on its way before the landing app that holds it is seen to be behind or silent. */
export const leadUnnoticedMs = (silentAfterSeconds + 1) * 1_000;

/** SQL: whether a landing app has leads still to write, or is silent and so may have. */
export const someLeadsUnderWay = `exists (
  select from landing_instance
  where (is_behind or seen_at < now() - interval '${silentAfterSeconds} seconds')
    and seen_at > now() - ${forgottenAfter})`;

// One that has caught up knows of all that waits at the broker, and in its own folder: whoever fell silent and could only
// have left something there has left nothing.
const note = preparedStatement<{ seen_at: Date }>(
  'note-landing-instance',
  `with forgotten as (
     delete from landing_instance
     where id <> $1
       and (seen_at <= now() - ${forgottenAfter}
            or not $2 and seen_at <= now() - interval '5 seconds' and (spool is null or spool = $3))
   )
   insert into landing_instance (id, is_behind, spool, ignores_proxy) values ($1, $2, $3, $4)
   on conflict (id) do update set seen_at = now(), is_behind = excluded.is_behind, spool = excluded.spool,
     ignores_proxy = excluded.ignores_proxy
   returning seen_at`,
);

/** Gives the time by the database's clock. */
export const noteLandingInstance = async (pool: Pool, landing: LandingNote): Promise<Date> => {
  const [row] = await note(pool, [landing.id, landing.isBehind, landing.spool, landing.ignoresProxy]);
  if (!row) throw new Error('a note was not written');
  return row.seen_at;
};

const forget = preparedStatement('forget-landing-instance', 'delete from landing_instance where id = $1');

/** Forgets a landing app that ends with all its leads written. */
export const forgetLandingInstance = async (pool: Pool, id: string): Promise<void> => {
  await forget(pool, [id]);
};

const factsSchema = z.tuple([
  z.object({
    known: z.number(),
    behind: z.number(),
    silent: z.number(),
    silentForSeconds: z.number(),
    ignoringProxy: z.number(),
  }),
]);

/**
 * The landing apps of the last hour: how many, how many know of leads that are not written yet, how many have fallen
 * silent and may hold some, for how long the first of those has been, and how many that run get requests by way of a
 * proxy although they trust none.
 */
export const readLandingFacts = async (em: EntityManager): Promise<z.infer<typeof factsSchema>[0]> => {
  const silent = `seen_at < now() - interval '${silentAfterSeconds} seconds'`;
  const [facts] = factsSchema.parse(
    await em.execute(`select count(*)::int as known,
        count(*) filter (where is_behind and not ${silent})::int as behind,
        count(*) filter (where ${silent})::int as silent,
        coalesce(extract(epoch from now() - min(seen_at) filter (where ${silent})), 0)::float8 as "silentForSeconds",
        count(*) filter (where ignores_proxy and not ${silent})::int as "ignoringProxy"
      from landing_instance where seen_at > now() - ${forgottenAfter}`),
  );
  return facts;
};
