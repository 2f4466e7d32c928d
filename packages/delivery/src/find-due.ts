import type { PlatformName } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { hintGrace, leasesLostTogetherMax } from './limits.ts';

export interface DueConnection {
  readonly id: number;
  readonly platform: PlatformName;
}

export interface DueWork {
  readonly connections: readonly DueConnection[];
  /** Whether some parcels crashed so many workers that their deliveries are to be sent alone. */
  readonly hasSuspects: boolean;
}

/** One per active connection. */
interface Row {
  connection_id: number | null;
  platform: PlatformName | null;
  /** Of its oldest due parcel; null: none is due. */
  not_before: Date | null;
  now: Date;
  has_suspects: boolean;
}

// One probe per active connection, from its low-water mark on. A new parcel is left to its hint for a moment.
const find = preparedStatement<Row>(
  'find-due-connections',
  `with due as materialized (
     select c.id as connection_id, c.platform, oldest.not_before
     from platform_connection c
     left join unnest($1::bigint[], $2::timestamptz[]) mark (connection_id, due_since) on mark.connection_id = c.id
     left join lateral (
       select d.not_before from feedback_due d
       where d.connection_id = c.id and d.not_before >= coalesce(mark.due_since, '-infinity') and d.not_before <= now()
         and d.claims_lost < ${leasesLostTogetherMax}
         and (d.claim > 0 or d.not_before <= now() - interval '${hintGrace}')
       order by d.not_before limit 1
     ) oldest on true
     where c.state = 'active'
   )
   select due.connection_id, due.platform, due.not_before, now() as now,
          exists (select from feedback_due d
                  where d.claims_lost >= ${leasesLostTogetherMax} and d.not_before <= now()) as has_suspects
   from (select) one left join due on true`,
);

// a transaction that began so long ago has committed its parcels or never will
const commitMaxMs = 15_000;
// from time to time everything is read, in case one took longer all the same
const markKeptMs = 60_000;

interface Mark {
  readonly dueSince: Date;
  readonly isFrom: number;
}

export interface DueFinder {
  /** The active connections with due parcels. */
  find(): Promise<DueWork>;
  /** No parcel of the connection is due since before. */
  dueSince(connectionId: number): Date | '-infinity';
}

/**
 * Finds the connections with due parcels. Remembers for each since when its oldest parcel is due: while a long snapshot
 * (a backup) keeps deleted rows in the table, reading them again every second would cost more each time.
 */
export const dueFinder = (pool: Pool): DueFinder => {
  let marks = new Map<number, Mark>();

  return {
    dueSince: (connectionId) => marks.get(connectionId)?.dueSince ?? '-infinity',
    async find() {
      const began = performance.now();
      const known = [...marks].filter(([, { isFrom }]) => began - isFrom <= markKeptMs);
      const rows = await find(pool, [known.map(([id]) => id), known.map(([, { dueSince }]) => dueSince)]);
      const connections: DueConnection[] = [];
      const isFromOf = new Map(known.map(([id, { isFrom }]) => [id, isFrom]));
      // parcels of an inactive connection become due again when it is resumed: it has no mark
      marks = new Map();
      for (const { connection_id: id, platform, not_before: notBefore, now } of rows) {
        if (id === null || platform === null) continue;
        if (notBefore !== null) connections.push({ id, platform });
        const nowMs = now.getTime();
        // PostgreSQL counts microseconds
        const dueSince = new Date(Math.min(notBefore?.getTime() ?? nowMs, nowMs - commitMaxMs) - 1);
        marks.set(id, { dueSince, isFrom: isFromOf.get(id) ?? began });
      }
      return { connections, hasSuspects: rows[0]?.has_suspects ?? false };
    },
  };
};
