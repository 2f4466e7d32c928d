import { eventually, type TestDatabase } from '@leadback/testing';
import { expect } from 'vitest';

const stopped = `from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and not l.granted and l.relation = 'conversion_adjustment'::regclass`;

/** Locks a table that of an erasure only the counting reads, and of registrations only that of adjustments. */
export const holdCounting = async ({ pool }: Pick<TestDatabase, 'pool'>) => {
  const holder = await pool.connect();
  await holder.query('begin; lock table conversion_adjustment in access exclusive mode');
  let isHeld = true;
  const letGo = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('rollback');
    holder.release();
  };
  return {
    /** Waits until an erasure counts. Returns its session. */
    counting: async (): Promise<number> => {
      const pids: number[] = [];
      await eventually(async () => {
        const { rows } = await pool.query<{ pid: number }>(`select l.pid ${stopped}`);
        expect(rows).toHaveLength(1);
        pids.push(...rows.map(({ pid }) => pid));
      });
      return pids[0] ?? 0;
    },
    letGo,
    [Symbol.asyncDispose]: letGo,
  };
};
