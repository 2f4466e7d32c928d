import { type ConnectionState, type DestinationName, eventAgeMaxMs, platformNames } from '@leadback/domain';
import {
  isQueryTimeout,
  isStatementTimeout,
  type Pool,
  preparedStatement,
  type Queryable,
  statement,
} from '@leadback/db';
import { leasesLostTogetherMax } from './claim.ts';

/** How long a new parcel is left to its hint before workers that look for due parcels take it. */
export const hintGrace = '1 second';

interface DueConnection {
  readonly id: number;
  readonly platform: DestinationName;
}

interface DueWork {
  readonly connections: readonly DueConnection[];
  /** Whether some parcels crashed so many workers that their deliveries are to be sent alone. */
  readonly hasSuspects: boolean;
  /** Whether PostgreSQL is read-only, such as a standby after a failover: nothing can be claimed. */
  readonly isReadOnly: boolean;
}

interface DueRow {
  connection_id: number | null;
  platform: DestinationName | null;
  not_before: Date | null;
  now: Date;
  has_suspects: boolean;
  is_read_only: boolean;
}

// One probe per active connection, from its low-water mark on; without one, for so long back ($3), or for ever (null).
// A new parcel is left to its hint for a moment. Returns connections with due parcels, and those with a mark.
// Plan: of each connection one entry of the index of times; see `preparedStatement`.
const find = preparedStatement<DueRow>(
  'find-due-connections',
  `with probed as materialized (
     select c.id as connection_id, c.platform, oldest.not_before
     from platform_connection c
     left join unnest($1::bigint[], $2::timestamptz[]) mark (connection_id, due_since) on mark.connection_id = c.id
     left join lateral (
       select d.not_before from delivery_due d
       where d.connection_id = c.id and d.not_before >= coalesce(mark.due_since, now() - $3::interval, '-infinity') and d.not_before <= now()
         and d.claims_lost < ${leasesLostTogetherMax}
         and (d.claim > 0 or d.not_before <= now() - interval '${hintGrace}')
       order by d.not_before limit 1
     ) oldest on true
     where c.state = 'active' and c.verify_at is null and (oldest.not_before is not null or mark.connection_id is not null)
   )
   select probed.*, now() as now, current_setting('transaction_read_only')::boolean as is_read_only,
          exists (select from delivery_due d
                  where d.claims_lost >= ${leasesLostTogetherMax} and d.not_before <= now()) as has_suspects
   from (select) one left join probed on true`,
);

// a transaction that began so long ago has committed its parcels or never will
const commitMaxMs = 15_000;
// from time to time everything is read, in case one took longer all the same
const markKeptMs = 10 * 60_000;
// how far back is read at least, if reading everything takes too long
const reach = '10 minutes';

interface Mark {
  readonly dueSince: Date;
  readonly isFrom: number;
}

export interface DueFinder {
  /**
   * Finds the connections with due parcels. `inUse`: connections whose parcels come and go, by hints too: each is
   * remembered, whether it has due parcels or not.
   */
  find(inUse?: Iterable<number>): Promise<DueWork>;
  /** No parcel of the connection is due since before. */
  dueSince(connectionId: number): Date | '-infinity';
}

/**
 * Finds the connections with due parcels. Remembers of each since when its oldest parcel is due: while a long snapshot
 * (a backup) keeps deleted rows in the table, reading them again every second would cost more each time.
 */
export const dueFinder = (pool: Pool): DueFinder => {
  const marks = new Map<number, Mark>();

  const fresh = (now: number): ReadonlyMap<number, Mark> =>
    new Map([...marks].filter(([, { isFrom }]) => now - isFrom <= markKeptMs));
  const unknown = '-infinity';

  return {
    dueSince: (connectionId) => marks.get(connectionId)?.dueSince ?? unknown,
    async find(inUse = []) {
      const began = performance.now();
      const known = fresh(began);
      const ids = [...new Set([...marks.keys(), ...inUse])];
      const search = (by: ReadonlyMap<number, Mark>, back: string | null) =>
        find(pool, [ids, ids.map((id) => by.get(id)?.dueSince ?? null), back]);
      // after hours of a snapshot there may be too many deleted rows to read them all within the time of a statement
      let isPartial = false;
      const rows = await search(known, null).catch((error: unknown) => {
        if (!isStatementTimeout(error) && !isQueryTimeout(error)) throw error;
        isPartial = true;
        return search(marks, reach);
      });
      const nowMs = rows[0]?.now.getTime() ?? 0;
      const connections: DueConnection[] = [];
      marks.clear(); // what is not active now may have due parcels from before
      for (const { connection_id: id, platform, not_before: dueSince } of rows) {
        if (id === null || platform === null) continue;
        if (dueSince !== null) connections.push({ id, platform });
        // PostgreSQL counts microseconds
        const since = Math.min(dueSince?.getTime() ?? nowMs, nowMs - commitMaxMs) - 1;
        marks.set(id, { dueSince: new Date(since), isFrom: isPartial ? began : (known.get(id)?.isFrom ?? began) });
      }
      const [first] = rows;
      return {
        connections,
        hasSuspects: first?.has_suspects ?? false,
        isReadOnly: first?.is_read_only ?? false,
      };
    },
  };
};

/**
 * What pending deliveries wait for. worker: they may be sent now. retry: they are not due yet, or a worker holds them.
 * paused, needs_attention: an operator has to resume or fix their connection.
 */
export const waitReasons = ['worker', 'retry', 'paused', 'needs_attention'] as const;
type WaitReason = (typeof waitReasons)[number];

export interface BacklogPart {
  readonly platform: DestinationName;
  readonly waitsFor: WaitReason;
  /** The number of deliveries. */
  readonly rows: number;
  /**
   * The age of the oldest conversion since it occurred: platforms' age limits start there, however late it was
   * registered.
   */
  readonly oldestSeconds: number;
  /** The longest time for which a delivery has been retried, as the retry limit counts it. */
  readonly triedSeconds: number;
  /** For how long the delivery that waits longest for a worker could have been sent. */
  readonly freeSeconds: number;
}

interface ConnectionCount {
  readonly platform: DestinationName;
  readonly state: ConnectionState;
  readonly connections: number;
}

export interface Backlog {
  readonly parts: readonly BacklogPart[];
  readonly connections: readonly ConnectionCount[];
  /** Sales of all accounts that no connection took, and some platform still takes; at most 100,000 are counted. */
  readonly untold: number;
}

interface BacklogRow {
  platform: DestinationName;
  waits_for: WaitReason;
  rows: number;
  oldest_s: number;
  tried_s: number;
  free_s: number;
}

// parcels are few, and summed up by connection first
const measure = statement<BacklogRow>(
  `with of_connection as (
     select connection_id, not_before <= now() as is_free, sum(cardinality(delivery_ids)) as deliveries,
            min(oldest_at) as oldest, min(retry_from) as tried_since, min(not_before) as free_since
     from delivery_due group by connection_id, not_before <= now()
   )
   select c.platform,
          case when c.state <> 'active' then c.state when w.is_free then 'worker' else 'retry' end as waits_for,
          sum(w.deliveries)::int as rows, extract(epoch from now() - min(w.oldest))::float8 as oldest_s,
          extract(epoch from now() - min(greatest(w.tried_since, c.resumed_at)))::float8 as tried_s,
          coalesce(extract(epoch from now()
            - min(greatest(w.free_since, c.resumed_at)) filter (where w.is_free and c.state = 'active')), 0)::float8 as free_s
   from of_connection w join platform_connection c on c.id = w.connection_id
   group by 1, 2`,
);

const count = statement<ConnectionCount>(
  `select platform, state, count(*)::int as connections from platform_connection
   where deleted_at is null group by platform, state`,
);

const countUntold = statement<{ untold: number }>(
  `select count(*)::int as untold from (
     select from conversion
     where is_untold and coalesce(occurred_at, created_at) >= now() - $1::interval limit 100000) untold`,
);

/** Measures what waits in all accounts. */
export const measureBacklog = async (pool: Pool): Promise<Backlog> => {
  const rows = await measure(pool, []);
  const parts = rows.map((row) => ({
    platform: row.platform,
    waitsFor: row.waits_for,
    rows: row.rows,
    oldestSeconds: row.oldest_s,
    triedSeconds: row.tried_s,
    freeSeconds: row.free_s,
  }));
  const [counted] = await countUntold(pool, [`${Math.max(...platformNames.map(eventAgeMaxMs))} milliseconds`]);
  return { parts, connections: await count(pool, []), untold: counted?.untold ?? 0 };
};

const countWaiting = statement<{ id: number; waiting: number }>(
  `select d.connection_id as id, sum(cardinality(d.delivery_ids))::int as waiting
   from platform_connection c join delivery_due d on d.connection_id = c.id and d.account_id = c.account_id
   where c.account_id = $1 group by 1`,
);

/** Counts the pending deliveries of an account by connection id. Connections without any are left out. */
export const countWaitingDeliveries = async (on: Queryable, accountId: number): Promise<ReadonlyMap<number, number>> =>
  new Map((await countWaiting(on, [accountId])).map(({ id, waiting }) => [id, waiting]));
