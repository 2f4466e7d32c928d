import { setTimeout } from 'node:timers/promises';
import { type Pool, preparedStatement } from '@leadback/db';

/** Rows with an id greater than `after` and at most `last`. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

export type TrimmedTable = 'lead' | 'feedback' | 'platform_request' | 'webhook_event';

const rowsMax = 500;

const nextStretchOf = (table: TrimmedTable) =>
  preparedStatement<{ last: number | null; is_old: boolean | null }>(
    `next-stretch-of-${table}`,
    `select max(id) as last, bool_or(created_at < now() - $2 * interval '1 day') as is_old
     from (select id, created_at from ${table} where id > $1 order by id limit $3) stretch`,
  );

/**
 * Yields ranges of 500 rows, from the oldest on, up to the first range without a row older than so many days: ids grow
 * with time. A row that was written late, between newer ones, waits until they have expired as well. After each range
 * it pauses for as long as the range took, which leaves half of the time to other work.
 */
export const expiredIdRanges = async function* (
  pool: Pool,
  table: TrimmedTable,
  days: number,
): AsyncGenerator<IdRange> {
  const nextStretch = nextStretchOf(table);
  for (let after = 0; ; ) {
    const startedAt = performance.now();
    const [row] = await nextStretch(pool, [after, days, rowsMax]);
    if (!row || row.last === null || row.is_old !== true) return;
    yield { after, last: row.last };
    after = row.last;
    await setTimeout(performance.now() - startedAt);
  }
};
