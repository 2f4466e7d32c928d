import type { ConnectionState, DestinationName } from '@leadback/domain';
import { type EntityManager, type Pool, preparedStatement } from '@leadback/db';
import { z } from 'zod';

/**
 * What pending deliveries wait for. worker: they may be sent now. retry: they are not due yet, or a worker holds them.
 * paused, needs_attention: an operator has to resume or fix their connection.
 */
export const waitReasons = ['worker', 'retry', 'paused', 'needs_attention'] as const;
export type WaitReason = (typeof waitReasons)[number];

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

export interface ConnectionCount {
  readonly platform: DestinationName;
  readonly state: ConnectionState;
  readonly connections: number;
}

export interface Backlog {
  readonly parts: readonly BacklogPart[];
  readonly connections: readonly ConnectionCount[];
}

interface Row {
  platform: DestinationName;
  waits_for: WaitReason;
  rows: number;
  oldest_s: number;
  tried_s: number;
  free_s: number;
}

// parcels are few, and summed up by connection first
const measure = preparedStatement<Row>(
  'measure-backlog',
  `with of_connection as (
     select connection_id, not_before <= now() as is_free, sum(cardinality(feedback_ids)) as deliveries,
            min(oldest_at) as oldest, min(retry_from) as tried_since, min(not_before) as free_since
     from feedback_due group by connection_id, not_before <= now()
   )
   select c.platform,
          case when c.state <> 'active' then c.state when w.is_free then 'worker' else 'retry' end as waits_for,
          sum(w.deliveries)::int as rows, extract(epoch from now() - min(w.oldest))::float8 as oldest_s,
          extract(epoch from now() - min(greatest(w.tried_since, c.resumed_at)))::float8 as tried_s,
          coalesce(extract(epoch from now()
            - min(greatest(w.free_since, c.resumed_at)) filter (where w.is_free and c.state = 'active')), 0)::float8 as free_s
   from of_connection w
   cross join lateral (
     select platform, state, resumed_at from platform_connection where id = w.connection_id limit 1) c
   group by 1, 2`,
);

const count = preparedStatement<ConnectionCount>(
  'count-connections',
  'select platform, state, count(*)::int as connections from platform_connection group by platform, state',
);

/** Measures the pending deliveries of all accounts. */
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
  return { parts, connections: await count(pool, []) };
};

const waitingSchema = z.array(z.object({ id: z.coerce.number(), waiting: z.number() }));

/** Counts the pending deliveries of an account by connection id. Connections without any are left out. */
export const countWaitingFeedback = async (
  em: EntityManager,
  accountId: number,
): Promise<ReadonlyMap<number, number>> => {
  const rows = await em.execute(
    `select d.connection_id as id, sum(cardinality(d.feedback_ids))::int as waiting
     from platform_connection c join feedback_due d on d.connection_id = c.id and d.account_id = c.account_id
     where c.account_id = ? group by 1`,
    [accountId],
  );
  return new Map(waitingSchema.parse(rows).map(({ id, waiting }) => [id, waiting]));
};
