import { type Pool, type PoolClient, statement, transaction } from '@leadback/db';
import { checkedRequest, egressOf, resolveHost } from '@leadback/platforms/address';
import { createRequest } from '@leadback/platforms/exchange';
import { hashesOfPersons, decryptRequest, encryptFetched } from './content.ts';
import type { Fetched, FetchTools, OpenSource } from './kind.ts';
import { sourceUrls } from './kinds/index.ts';
import { holdSource, readSource, type StoredSource } from './open.ts';
import { namesOf } from './receive.ts';
import { isCounted } from '../work-queue.ts';
import { findDueSources, noteFailure, openOrHold, type SourceTools, type TakenEvent, takeEvents } from './work.ts';

export interface FetchingTools extends SourceTools {
  readonly fetching: FetchTools;
}

/** What fetches, by the settings of the app. */
export const fetchTools = (settings: Readonly<Record<string, unknown>>): FetchTools => ({
  request: createRequest(),
  // as webhooks of partners are reached: nobody gets at what is inside by the name of a shop
  requestTyped: checkedRequest(createRequest({ keepAlive: false }), { ...egressOf(settings), resolve: resolveHost }),
  urlOf: sourceUrls(settings),
});

// longer than a fetch may take: another process takes over then from one that was killed
const claimedSeconds = 40;
const claim = statement(
  `update source_event set due_at = clock_timestamp() + interval '${claimedSeconds} seconds' where id = any($1)`,
);

// a slow side has at most so many connections of ours
const atOnce = 4;

interface Claimed {
  readonly source: StoredSource;
  readonly events: readonly TakenEvent[];
}

const claimNext = (pool: Pool): Promise<Claimed | undefined> =>
  transaction(pool, async (on) => {
    for (const id of await findDueSources(on, true)) {
      const events = await takeEvents(on, id, true, atOnce);
      const source = events.length === 0 ? undefined : await readSource(on, id);
      if (!source) continue;
      await claim(on, [events.map((event) => event.id)]);
      return { source, events };
    }
    return undefined;
  });

const keep = statement(
  `update source_event
   set fetched = $2, needs_fetch = false, due_at = clock_timestamp(), failures = 0, event = $3, order_reference = $4,
       state_at = $5, person_hashes = nullif(coalesce(person_hashes, '{}') || coalesce($6::text[], '{}'), '{}')
   where id = $1 and finished_at is null and content is not null`,
);

const end = statement(
  `update source_event set finished_at = clock_timestamp(), outcome = $2, reason = $3, message = $4
   where id = $1 and finished_at is null`,
);

// Longer each time, and at most an hour; or as long as the other side asks for.
const wait = statement(
  `update source_event
   set failures = failures + 1,
       due_at = clock_timestamp() + greatest(least(5 * power(2, least(failures, 12)), 3600), $2::int) * interval '1 second'
   where id = $1 and finished_at is null`,
);

const hourMs = 3_600_000;
/** A message may come before the other side's API shows what it is about. */
const missingMs = hourMs;
const unavailableMs = 72 * hourMs;

const ageOf = ({ receivedAt }: TakenEvent): number => Date.now() - receivedAt.getTime();

/** What is to be done about an answer that is none yet. */
const saveFailure = async (
  on: Pool | PoolClient,
  source: StoredSource,
  event: TakenEvent,
  fetched: Exclude<Fetched, { kind: 'fetched' }>,
): Promise<void> => {
  switch (fetched.kind) {
    case 'missing':
      if (ageOf(event) > missingMs) await end(on, [event.id, 'ignored', 'not-found', null]);
      else await wait(on, [event.id, 0]);
      return;
    case 'unavailable':
      if (ageOf(event) > unavailableMs) await end(on, [event.id, 'failed', 'api-unavailable', fetched.reason]);
      else await wait(on, [event.id, Math.ceil((fetched.retryAfterMs ?? 0) / 1000)]);
      return;
    case 'refused':
      await holdSource(on, source.id, fetched.reason);
      await wait(on, [event.id, 0]);
  }
};

const fetchFor = async (
  pool: Pool,
  { referenceKeys, contacts, fetching }: FetchingTools,
  source: StoredSource,
  opened: OpenSource,
  event: TakenEvent,
): Promise<Fetched['kind']> => {
  const { accountId, id: sourceId } = source;
  const { keys } = (await contacts.ofAccounts(pool, [accountId]))(accountId);
  if (!keys || event.key === null || event.content === null) {
    await end(pool, [event.id, 'ignored', 'person-erased', null]);
    return 'missing';
  }
  const owner = { accountId, sourceId, key: event.key };
  const request = decryptRequest(keys, owner, event.content);
  const { means } = opened.read(request);
  const fetched: Fetched =
    means.kind === 'fetch' && opened.fetch ? await opened.fetch(fetching, means.path) : { kind: 'missing' };
  if (fetched.kind !== 'fetched') {
    await saveFailure(pool, source, event, fetched);
    return fetched.kind;
  }
  const readAgain = () => {
    try {
      return opened.read(request, fetched.body);
    } catch {
      return undefined; // the worker says so
    }
  };
  const reading = readAgain();
  const names = reading ? namesOf(reading) : { event: 'message', orderReference: null, stateAt: null };
  await keep(pool, [
    event.id,
    encryptFetched(keys, owner, fetched.body),
    names.event,
    names.orderReference,
    names.stateAt,
    reading ? hashesOfPersons(keys, referenceKeys, reading.searched) : null,
  ]);
  return 'fetched';
};

/** What was fetched of a source. */
export interface FetchedEvents {
  readonly kind: string;
  readonly results: readonly Fetched['kind'][];
}

/**
 * Fetches what the next events of the source that has waited longest are about, outside of any transaction: one that is
 * killed meanwhile is taken over. Undefined if there is nothing to fetch. Throws if PostgreSQL is unavailable.
 */
export const fetchForNextEvents = async (pool: Pool, tools: FetchingTools): Promise<FetchedEvents | undefined> => {
  const claimed = await claimNext(pool);
  if (!claimed) return undefined;
  const { source, events } = claimed;
  const found = await openOrHold(pool, tools, source);
  if (!found) return { kind: source.kind, results: [] };
  const results = await Promise.all(
    events.map(async (event): Promise<Fetched['kind']> => {
      try {
        return await fetchFor(pool, tools, source, found.opened, event);
      } catch (error) {
        // one that cannot be read stops no other
        if (!isCounted(error)) throw error;
        await noteFailure(pool, event.id, error);
        return 'unavailable';
      }
    }),
  );
  return { kind: source.kind, results };
};
