import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';

/** Rows that follow each other: those with an id after the one and up to the other. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

export type TrimmedTable = 'lead' | 'feedback' | 'platform_request';

const rowsMax = 500;

const nextStretchOf = (table: TrimmedTable) =>
  preparedStatement<{ last: number | null; is_old: boolean | null }>(
    `next-stretch-of-${table}`,
    `select max(id) as last, bool_or(created_at < now() - $2 * interval '1 day') as is_old
     from (select id, created_at from ${table} where id > $1 order by id limit $3) stretch`,
  );

/**
 * Gives a table in stretches of 500 rows, from the oldest on, up to the first in which none is older than so many
 * days: ids grow with time. A row that was written late, between younger ones, waits until they are old as well. After
 * each stretch it pauses for as long as the stretch took: others have half of the time to themselves.
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
