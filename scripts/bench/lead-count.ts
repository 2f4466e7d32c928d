import type { Pool } from 'pg';
import { z } from 'zod';

const last = z.tuple([z.object({ id: z.string() })]);
const count = z.tuple([z.object({ n: z.coerce.number() })]);

/** Starts to count the leads that are added. The function that it returns counts them, without those from before. */
export const startLeadCount = async (pool: Pool): Promise<() => Promise<number>> => {
  const { rows } = await pool.query('select coalesce(max(id), 0) as id from lead');
  const [{ id }] = last.parse(rows);
  return async () => {
    const added = await pool.query('select count(*) as n from lead where id > $1', [id]);
    return count.parse(added.rows)[0].n;
  };
};
