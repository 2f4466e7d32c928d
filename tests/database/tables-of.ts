import type { Pool } from '@leadback/db';
import { z } from 'zod';

const tablesAndColumns = `
  select c.relname as table, c.relispartition as "isPartition", array_agg(a.attname::text order by a.attname) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1, 2`;
const tablesSchema = z.array(z.object({ table: z.string(), isPartition: z.boolean(), columns: z.array(z.string()) }));

/** Tables, and partitions of tables, of the schema public. */
export const tablesOf = async (pool: Pool) => tablesSchema.parse((await pool.query(tablesAndColumns)).rows);
