import { type Pool, preparedStatement, type Queryable, statement } from '@leadback/db';

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

interface LandingFacts {
  readonly known: number;
  /** Those that hold leads which are not written yet. */
  readonly behind: number;
  /** Those that may hold some, and since when. */
  readonly silent: number;
  readonly silentForSeconds: number;
  /** Those that receive requests through a proxy, or through one that ends TLS, although they trust none. */
  readonly ignoringProxy: number;
  readonly missingTls: number;
}

const isSilent = `seen_at < now() - interval '${silentAfterSeconds} seconds'`;

const readFacts = statement<LandingFacts>(
  `select count(*)::int as known,
     count(*) filter (where is_behind and not ${isSilent})::int as behind,
     count(*) filter (where ${isSilent})::int as silent,
     coalesce(extract(epoch from now() - min(seen_at) filter (where ${isSilent})), 0)::float8 as "silentForSeconds",
     count(*) filter (where ignores_proxy and not ${isSilent})::int as "ignoringProxy",
     count(*) filter (where misses_tls and not ${isSilent})::int as "missingTls"
   from landing_instance where seen_at > now() - ${forgottenAfter}`,
);

/** Of the landing apps of the last hour. */
export const readLandingFacts = async (on: Queryable): Promise<LandingFacts> => {
  const [facts] = await readFacts(on, []);
  if (!facts) throw new Error('PostgreSQL counted nothing');
  return facts;
};
