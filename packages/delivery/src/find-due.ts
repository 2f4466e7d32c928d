import type { DestinationName } from '@leadback/domain';
import { isQueryTimeout, isStatementTimeout, type Pool, preparedStatement } from '@leadback/db';
import { hintGrace, leasesLostTogetherMax } from './limits.ts';

export interface DueConnection {
  readonly id: number;
  readonly platform: DestinationName;
}

export interface DueWork {
  readonly connections: readonly DueConnection[];
  /** Whether some parcels crashed so many workers that their deliveries are to be sent alone. */
  readonly hasSuspects: boolean;
  /** Whether PostgreSQL is read-only, such as a standby after a failover: nothing can be claimed. */
  readonly isReadOnly: boolean;
}

interface Row {
  connection_id: number | null;
  platform: DestinationName | null;
  not_before: Date | null;
  now: Date;
  has_suspects: boolean;
  is_read_only: boolean;
}

// One probe per active connection, from its low-water mark on; without one, for so long back ($3), or for ever (null).
// A new parcel is left to its hint for a moment. Returns connections with due parcels, and those with a mark.
const find = preparedStatement<Row>(
  'find-due-connections',
  `with probed as materialized (
     select c.id as connection_id, c.platform, oldest.not_before
     from platform_connection c
     left join unnest($1::bigint[], $2::timestamptz[]) mark (connection_id, due_since) on mark.connection_id = c.id
     left join lateral (
       select d.not_before from feedback_due d
       where d.connection_id = c.id and d.not_before >= coalesce(mark.due_since, now() - $3::interval, '-infinity') and d.not_before <= now()
         and d.claims_lost < ${leasesLostTogetherMax}
         and (d.claim > 0 or d.not_before <= now() - interval '${hintGrace}')
       order by d.not_before limit 1
     ) oldest on true
     where c.state = 'active' and c.verify_at is null and (oldest.not_before is not null or mark.connection_id is not null)
   )
   select probed.*, now() as now, current_setting('transaction_read_only')::boolean as is_read_only,
          exists (select from feedback_due d
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
