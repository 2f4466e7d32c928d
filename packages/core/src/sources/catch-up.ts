import { type Pool, type Queryable, statement } from '@leadback/db';
import type { Fetched, FetchTools, OpenSource } from './kind.ts';
import type { FetchedEvents, FetchingTools } from './fetch.ts';
import { holdSource, readSource } from './open.ts';
import { keepRequests } from './receive.ts';
import { openOrHold } from './work.ts';

interface Due {
  readonly id: number;
  readonly since: Date;
  readonly until: Date;
}

// An hour is more than asking takes. A new source is asked at once: a wrong token is seen then. What came before the source is not asked for; clocks may differ by some minutes.
const claim = statement<Due>(
  `update source set catch_up_at = clock_timestamp() + interval '1 hour'
   where id = (
     select s.id from source s cross join lateral (select status from account where id = s.account_id limit 1) a
     where s.state = 'active' and s.deleted_at is null and a.status = 'active' and s.catch_up_at <= clock_timestamp()
     order by s.catch_up_at limit 1 for update of s skip locked
   )
   returning id, greatest(created_at, caught_up_until - interval '10 minutes') as since, clock_timestamp() as until`,
);

const done = statement('update source set caught_up_until = $2 where id = $1');
const again = statement(
  `update source set catch_up_at = clock_timestamp() + greatest(300, $2::int) * interval '1 second' where id = $1`,
);

const known = statement<{ nth: number }>(
  `select i.nth::int from unnest($2::text[], $3::timestamptz[]) with ordinality as i (reference, state_at, nth)
   where exists (
     select from source_event where source_id = $1 and order_reference = i.reference and state_at >= i.state_at)`,
);

/** Without what has been told already. */
const untold = async <Listed extends { readonly reference: string; readonly stateAt: string }>(
  on: Queryable,
  sourceId: number,
  listed: readonly Listed[],
): Promise<Listed[]> => {
  const columns = [listed.map(({ reference }) => reference), listed.map(({ stateAt }) => stateAt)];
  const told = new Set((await known(on, [sourceId, ...columns])).map(({ nth }) => nth - 1));
  return listed.filter((_one, index) => !told.has(index));
};

const clocksDifferMs = 10 * 60_000;

// more than a shop sells in an hour; the rest comes by its own messages
const pagesMax = 100;

type Page =
  | Exclude<Fetched, { kind: 'fetched' }>
  | { readonly kind: 'listed'; readonly states: ReturnType<CatchUp['read']>; readonly isLast: boolean };
type CatchUp = NonNullable<OpenSource['catchUp']>;

const pageOf = async (catchUp: CatchUp, tools: FetchTools, since: Date, page: number): Promise<Page> => {
  const fetched = await catchUp.fetch(tools, since, page);
  if (fetched.kind !== 'fetched') return fetched;
  try {
    const states = catchUp.read(fetched.body);
    // old versions of an API list all
    const isNew = states.filter(({ stateAt }) => Date.parse(stateAt) >= since.getTime() - clocksDifferMs);
    return { kind: 'listed', states: isNew, isLast: states.length === 0 };
  } catch {
    return { kind: 'unavailable', reason: 'its list cannot be read' };
  }
};

/**
 * Asks the other side of the source that has waited longest for what it may not have told, and keeps what is not known, to be
 * worked on. What was kept stays, whatever happens to the rest. Undefined if none is due. Throws if PostgreSQL is unavailable.
 */
export const catchUpNextSource = async (pool: Pool, tools: FetchingTools): Promise<FetchedEvents | undefined> => {
  const [due] = await claim(pool, []);
  if (!due) return undefined;
  const source = await readSource(pool, due.id);
  const found = source && (await openOrHold(pool, tools, source));
  const catchUp = found?.opened.catchUp;
  if (!source || !found || !catchUp) return { kind: source?.kind ?? '', results: [] };
  const results: Fetched['kind'][] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const asked = await pageOf(catchUp, tools.fetching, due.since, page);
    results.push(asked.kind === 'listed' ? 'fetched' : asked.kind);
    if (asked.kind === 'refused') await holdSource(pool, source.id, asked.reason);
    if (asked.kind === 'unavailable') await again(pool, [source.id, Math.ceil((asked.retryAfterMs ?? 0) / 1000)]);
    if (asked.kind === 'refused' || asked.kind === 'unavailable') return { kind: source.kind, results };
    if (asked.kind === 'missing' || asked.isLast) break;
    const missed = await untold(pool, source.id, asked.states);
    if (missed.length > 0)
      await keepRequests(
        pool,
        tools,
        source,
        found,
        missed.map(({ request }) => request),
      );
  }
  await done(pool, [source.id, due.until]);
  return { kind: source.kind, results };
};
