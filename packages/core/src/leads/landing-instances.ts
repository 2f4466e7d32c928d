import { type Pool, type EntityManager, preparedStatement } from '@leadback/db';
import { z } from 'zod';

/** What a landing app reports about itself, twice a second. */
export interface LandingNote {
  readonly id: string;
  /** Whether it holds leads that are not written yet. */
  readonly isBehind: boolean;
  /** Identifies the folder in which it buffers leads; null if it stops with none there. */
  readonly spool: string | null;
  /** Whether requests arrive through a proxy although it trusts none. */
  readonly ignoresProxy: boolean;
  /** Whether most of them arrive through one that ends TLS, so that it takes them for unencrypted. */
  readonly missesTls: boolean;
}

/** A landing app that has not reported for so long may hold leads. */
const silentAfterSeconds = 2;
// time enough to restart it with its disk; until then it may hold leads
const forgottenAfter = `interval '1 hour'`;

/** The maximum delay after which a landing app that holds a lead is seen as behind or silent. */
export const leadUnnoticedMs = (silentAfterSeconds + 1) * 1_000;

/** SQL: whether a landing app has leads to write, or is silent and so may have some. */
export const someLeadsUnderWay = `exists (
  select from landing_instance
  where (is_behind or seen_at < now() - interval '${silentAfterSeconds} seconds')
    and seen_at > now() - ${forgottenAfter})`;

// An app that has caught up has written all leads buffered in the broker and in its own folder, so silent apps that
// could have left leads only there have left none.
const save = preparedStatement<{ seen_at: Date }>(
  'note-landing-instance',
  `with forgotten as (
     delete from landing_instance
     where id <> $1
       and (seen_at <= now() - ${forgottenAfter}
            or not $2 and seen_at <= now() - interval '5 seconds' and (spool is null or spool = $3))
   )
   insert into landing_instance (id, is_behind, spool, ignores_proxy, misses_tls) values ($1, $2, $3, $4, $5)
   on conflict (id) do update set seen_at = now(), is_behind = excluded.is_behind, spool = excluded.spool,
     ignores_proxy = excluded.ignores_proxy, misses_tls = excluded.misses_tls
   returning seen_at`,
);

/** Returns the time of the database. */
export const noteLandingInstance = async (pool: Pool, landing: LandingNote): Promise<Date> => {
  const [row] = await save(pool, [
    landing.id,
    landing.isBehind,
    landing.spool,
    landing.ignoresProxy,
    landing.missesTls,
  ]);
  if (!row) throw new Error('the landing app was not saved');
  return row.seen_at;
};

const deleteInstance = preparedStatement('forget-landing-instance', 'delete from landing_instance where id = $1');

/** Removes a landing app that stops with all its leads written. */
export const forgetLandingInstance = async (pool: Pool, id: string): Promise<void> => {
  await deleteInstance(pool, [id]);
};

const factsSchema = z.tuple([
  z.object({
    known: z.number(),
    behind: z.number(),
    silent: z.number(),
    silentForSeconds: z.number(),
    ignoringProxy: z.number(),
    missingTls: z.number(),
  }),
]);

/**
 * The landing apps of the last hour: how many, how many hold leads that are not written yet, how many are silent and
 * may hold some and since when, and how many receive requests through a proxy, or through
 * one that ends TLS, although they trust none.
 */
export const readLandingFacts = async (em: EntityManager): Promise<z.infer<typeof factsSchema>[0]> => {
  const silent = `seen_at < now() - interval '${silentAfterSeconds} seconds'`;
  const [facts] = factsSchema.parse(
    await em.execute(`select count(*)::int as known,
        count(*) filter (where is_behind and not ${silent})::int as behind,
        count(*) filter (where ${silent})::int as silent,
        coalesce(extract(epoch from now() - min(seen_at) filter (where ${silent})), 0)::float8 as "silentForSeconds",
        count(*) filter (where ignores_proxy and not ${silent})::int as "ignoringProxy",
        count(*) filter (where misses_tls and not ${silent})::int as "missingTls"
      from landing_instance where seen_at > now() - ${forgottenAfter}`),
  );
  return facts;
};
