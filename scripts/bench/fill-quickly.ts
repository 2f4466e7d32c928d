import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';

const statements = z.array(z.object({ drop: z.string(), build: z.string() }));

// what foreign keys need stays: primary keys
const secondaryIndexes = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as build
  from pg_constraint where contype = 'u' and conrelid = any ($1::regclass[])
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  from pg_index
  where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`;

/**
 * Fills tables without their secondary indexes, triggers and foreign keys, which would take longer than the rows: millions in
 * random order would take hours. Then builds the indexes, and leaves the database as after a vacuum and a checkpoint.
 */
export const fillQuickly = async (
  pool: Pool,
  tables: readonly string[],
  fill: (on: ClientBase) => Promise<void>,
): Promise<void> => {
  const connection = await pool.connect();
  try {
    await connection.query('set session_replication_role = replica');
    await connection.query(`set maintenance_work_mem = '1GB'`);
    const indexes = statements.parse((await connection.query(secondaryIndexes, [tables])).rows);
    for (const { drop } of indexes) await connection.query(drop);
    await fill(connection);
    for (const { build } of indexes) await connection.query(build);
    await connection.query('vacuum analyze');
    await connection.query('checkpoint');
  } finally {
    connection.release(true);
  }
};
