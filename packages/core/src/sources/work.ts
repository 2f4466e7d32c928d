import type { SourceOutcome } from '@leadback/domain';
import {
  afterCommit,
  type ContactCipher,
  databaseErrorCode,
  type Pool,
  type PoolClient,
  type Queryable,
  statement,
  transaction,
} from '@leadback/db';
import type { AccountKeys, Keys, SecretsKeys } from '@leadback/domain/keys';
import type { NewParcel } from '../delivery/enqueue.ts';
import { failureOf, inSavepoint, isCounted } from '../work-queue.ts';
import { decryptFetched, decryptRequest } from './content.ts';
import { type OpenSource, orderOf, type Reading, unreadable } from './kind.ts';
import { cannotOpen, holdSource, openSource, readSource, type StoredSource } from './open.ts';
import { namesOf } from './receive.ts';
import { type Finished, type ReadEvent, type Settled, settleEvents } from './settle.ts';

export interface SourceTools {
  readonly secretsKeys: SecretsKeys;
  readonly referenceKeys: Keys;
  /** Of `erasureKeys`: a shop passes on what its customers ask of it. */
  readonly erasureKeys: Keys;
  readonly contacts: ContactCipher;
  /** Called after each commit that created deliveries. Must not throw. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
}

// Plan: one entry of the index of open events for each source that has some, so that any number of quiet sources costs nothing.
// $1: how many sources, $2: whether their next event is to be fetched for first.
const dueSources = statement<{ id: number }>(
  `with recursive waiting (id) as (
     (select source_id from source_event where finished_at is null order by source_id limit 1)
     union all
     select (select source_id from source_event where finished_at is null and source_id > w.id order by source_id limit 1)
     from waiting w where w.id is not null
   )
   select s.id from waiting w join source s on s.id = w.id
   cross join lateral (select status from account where id = s.account_id limit 1) a
   cross join lateral (
     select due_at from source_event
     where source_id = s.id and needs_fetch = $2 and finished_at is null and due_at <= clock_timestamp()
     order by due_at limit 1
   ) next
   where s.state = 'active' and s.deleted_at is null and a.status = 'active'
   order by random() limit $1`,
);

/** Sources with due events, in any order: none waits for all events of another. */
export const findDueSources = async (on: PoolClient, isToFetch: boolean): Promise<number[]> =>
  (await dueSources(on, [8, isToFetch])).map(({ id }) => id);

export interface TakenEvent {
  readonly id: number;
  readonly key: string | null;
  readonly receivedAt: Date;
  readonly content: Buffer | null;
  readonly fetched: Buffer | null;
  readonly failures: number;
}

const take = statement<TakenEvent>(
  `select id, key, received_at as "receivedAt", content, fetched, failures from source_event
   where source_id = $1 and needs_fetch = $2 and finished_at is null and due_at <= clock_timestamp()
   order by due_at, id limit $3 for update skip locked`,
);

// Of an order, one message at a time: two refunds are subtracted one after the other.
const lockSource = statement('select from source where id = $1 for no key update skip locked');

/** Locks the next events of a source. */
export const takeEvents = (
  on: PoolClient,
  sourceId: number,
  isToFetch: boolean,
  limit: number,
): Promise<TakenEvent[]> => take(on, [sourceId, isToFetch, limit]);

const finish = statement(
  `update source_event e
   set finished_at = clock_timestamp(), outcome = i.outcome, reason = i.reason, message = i.message,
       conversion_id = i."conversionId", event = coalesce(i.event, e.event),
       order_reference = coalesce(i."orderReference", e.order_reference), state_at = coalesce(i."stateAt", e.state_at),
       is_partial = i."isPartial"
   from json_to_recordset($1) as i (
     id bigint, outcome text, reason text, message text, "conversionId" bigint, event text, "orderReference" text,
     "stateAt" timestamptz, "isPartial" boolean)
   where e.id = i.id and e.finished_at is null`,
);

const postpone = statement(
  `update source_event e set due_at = clock_timestamp() + i.seconds * interval '1 second', event = coalesce(i.event, e.event),
     order_reference = coalesce(i."orderReference", e.order_reference), state_at = coalesce(i."stateAt", e.state_at)
   from json_to_recordset($1) as i (id bigint, seconds int, event text, "orderReference" text, "stateAt" timestamptz)
   where e.id = i.id and e.finished_at is null`,
);

// What came before the sale that it changes: it waits, or was given up. All get one time, so that the first comes first. A rejection
// without a time came before: networks approve after a review.
const wake = statement(
  `update source_event set due_at = now(), finished_at = null, outcome = null, reason = null, message = null
   where source_id = $1 and order_reference = any($2)
     and (finished_at is null and due_at > now()
          or outcome = 'ignored' and content is not null
            and (reason = 'no-sale' or reason = 'never-paid' and state_at is not null))`,
);

const toFetch = statement(
  'update source_event set needs_fetch = true, due_at = clock_timestamp() where id = any($1) and finished_at is null',
);

/** Notes that the work on an event failed: it is tried again later, and given up in the end. */
export const noteFailure = failureOf({
  table: 'source_event',
  isOpen: 'finished_at is null',
  // within about nine hours
  triesMax: 18,
  pauseMaxSeconds: 3_600,
  givenUp: { finished_at: 'clock_timestamp()', outcome: `'failed'`, reason: `'internal'` },
});

export interface ReadableEvent extends ReadEvent {
  readonly taken: TakenEvent;
}

const erased: Reading = { ...unreadable, means: { kind: 'nothing', reason: 'person-erased' } };

/** What a kept event says. What cannot be read now cannot be read later. */
export const readTaken = (
  { accountId, id: sourceId }: StoredSource,
  opened: OpenSource,
  keys: AccountKeys | undefined,
  taken: TakenEvent,
): Reading => {
  const { key, content, fetched } = taken;
  if (!keys || key === null || content === null) return erased;
  const owner = { accountId, sourceId, key };
  try {
    const request = decryptRequest(keys, owner, content);
    return opened.read(request, fetched === null ? undefined : decryptFetched(keys, owner, fetched));
  } catch {
    return unreadable;
  }
};

/** What was committed. */
export interface WorkedEvents {
  readonly kind: string;
  readonly finished: readonly Finished[];
  /** How many failed, and with what, as far as it can be told without a value of anybody. */
  readonly failures: readonly string[];
}

// more hold their locks for longer and save little
const eventsPerGroup = 50;

/** A code, never a text: PostgreSQL's quote what was sent. */
const failureName = (error: unknown): string =>
  databaseErrorCode(error) ?? (error instanceof Error ? error.name : 'unknown');

/** Of each order the first: what follows sees what it has changed. */
const firstOfOrders = <Event extends ReadEvent>(events: readonly Event[]): Event[] => {
  const orders = new Set<string>();
  return events.filter((event) => {
    const order = orderOf(event.reading.means)?.reference;
    if (order === undefined) return true;
    const isFirst = !orders.has(order);
    orders.add(order);
    return isFirst;
  });
};

interface Worked {
  readonly event: ReadEvent;
  readonly settled: Settled;
}

const save = async (on: PoolClient, sourceId: number, worked: readonly Worked[]): Promise<void> => {
  const finished = worked.flatMap(({ event, settled }) => {
    if ('waitSeconds' in settled) return [];
    const { outcome, reason, message, conversionId } = settled;
    return [{ id: event.id, ...namesOf(event.reading), outcome, reason, message, conversionId }];
  });
  if (finished.length > 0) await finish(on, [JSON.stringify(finished)]);
  const waiting = worked.flatMap(({ event, settled }) =>
    'waitSeconds' in settled ? [{ id: event.id, ...namesOf(event.reading), seconds: settled.waitSeconds }] : [],
  );
  if (waiting.length > 0) await postpone(on, [JSON.stringify(waiting)]);
  const waking: readonly SourceOutcome[] = ['sale', 'repeated', 'without-click'];
  const orders = worked.flatMap(({ event, settled }) =>
    'outcome' in settled && waking.includes(settled.outcome) ? (orderOf(event.reading.means)?.reference ?? []) : [],
  );
  if (orders.length > 0) await wake(on, [sourceId, orders]);
};

/** Works on events in a savepoint and saves what they came to. */
const workOn = (
  on: PoolClient,
  tools: SourceTools,
  source: StoredSource,
  events: readonly ReadEvent[],
): Promise<Worked[]> =>
  inSavepoint(on, async () => {
    const { results, parcels } = await settleEvents(on, tools, source, events);
    const worked = events.map((event, index): Worked => {
      const settled = results[index];
      if (settled === undefined) throw new Error('fewer results than events');
      return { event, settled };
    });
    await save(on, source.id, worked);
    if (parcels.length > 0) afterCommit(on, () => tools.announce(parcels));
    return worked;
  });

/** Each by itself, if some of them fail together. */
const workOnEach = async (on: PoolClient, tools: SourceTools, source: StoredSource, events: readonly ReadEvent[]) => {
  const worked: Worked[] = [];
  const failures: string[] = [];
  for (const event of events) {
    try {
      worked.push(...(await workOn(on, tools, source, [event])));
    } catch (error) {
      if (!isCounted(error)) throw error;
      await noteFailure(on, event.id, error);
      failures.push(failureName(error));
    }
  }
  return { worked, failures };
};

const workOnGroup = async (on: PoolClient, tools: SourceTools, source: StoredSource, events: readonly ReadEvent[]) => {
  try {
    return { worked: await workOn(on, tools, source, events), failures: [] };
  } catch (error) {
    if (!isCounted(error)) throw error;
    return workOnEach(on, tools, source, events);
  }
};

/** Opens a source; one that cannot be opened is held, so that others go on. */
export const openOrHold = async (
  on: Queryable,
  { secretsKeys }: Pick<SourceTools, 'secretsKeys'>,
  source: StoredSource,
) => {
  try {
    return openSource(secretsKeys, source, Date.now());
  } catch {
    await holdSource(on, source.id, cannotOpen);
    return undefined;
  }
};

const workOnSource = async (
  on: PoolClient,
  tools: SourceTools,
  source: StoredSource,
  taken: readonly TakenEvent[],
): Promise<WorkedEvents> => {
  const found = await openOrHold(on, tools, source);
  if (!found) return { kind: source.kind, finished: [], failures: [] };
  const { kind, opened } = found;
  const { keys } = (await tools.contacts.ofAccounts(on, [source.accountId]))(source.accountId);
  const read = taken.map((one): ReadEvent => {
    return { id: one.id, receivedAt: one.receivedAt, reading: readTaken(source, opened, keys, one) };
  });
  const lacking = read.filter(({ reading }) => reading.means.kind === 'fetch').map(({ id }) => id);
  if (lacking.length > 0) await toFetch(on, [lacking]);
  const ready = firstOfOrders(read.filter(({ reading }) => reading.means.kind !== 'fetch'));
  const { worked, failures } =
    ready.length === 0 ? { worked: [], failures: [] } : await workOnGroup(on, tools, source, ready);
  const finished = worked.flatMap(({ settled }) => ('outcome' in settled ? [settled] : []));
  return { kind: kind.name, finished, failures };
};

/**
 * Works on the next events of a source, in one transaction with their outcomes: a process that is
 * killed has changed nothing, and others take other events. Undefined if none is due. Throws if PostgreSQL is unavailable.
 */
export const workOnNextEvents = (pool: Pool, tools: SourceTools): Promise<WorkedEvents | undefined> =>
  transaction(pool, async (on) => {
    for (const id of await findDueSources(on, false)) {
      const isFree = (await lockSource(on, [id])).length > 0;
      const taken = isFree ? await takeEvents(on, id, false, eventsPerGroup) : [];
      const source = taken.length === 0 ? undefined : await readSource(on, id);
      if (source) return workOnSource(on, tools, source, taken);
    }
    return undefined;
  });

const deleteOld = statement(
  `delete from source_event where id = any(array(
     select id from (select id, received_at from source_event order by id limit $1) oldest
     where received_at <= now() - $2::int * interval '1 day'))
   returning 1`,
);

/** Deletes some events that are older than so many days. Returns how many. */
export const deleteOldEvents = async (pool: Pool, days: number, rowsMax: number): Promise<number> =>
  (await deleteOld(pool, [rowsMax, days])).length;
