import { type Pool, preparedStatement } from '@leadback/db';

/** The tables whose rows are short-lived, so that a long snapshot keeps the most deleted rows in them. */
export const shortLivedTables = ['feedback_due', 'metric_change', 'quality_change'] as const;
export type ShortLivedTable = (typeof shortLivedTables)[number];

const count = preparedStatement<{ name: ShortLivedTable; rows: number }>(
  'count-dead-rows',
  `select name, pg_stat_get_dead_tuples(name::regclass)::float8 as rows from unnest($1::text[]) short_lived (name)`,
);

/**
 * Estimates the deleted rows that are still in these tables, as PostgreSQL's statistics count them. Vacuum removes them
 * within minutes, unless a long snapshot, a replication slot or a prepared transaction may still need them.
 */
export const countDeadRows = async (pool: Pool): Promise<ReadonlyMap<ShortLivedTable, number>> =>
  new Map((await count(pool, [shortLivedTables])).map(({ name, rows }) => [name, rows]));
