import type { ClientBase } from 'pg';
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
 * Fills tables without their secondary indexes, then builds these: millions of rows in random order would take hours
 * otherwise.
 */
export const buildIndexesAfter = async (
  fill: () => Promise<void>,
  on: ClientBase,
  tables: readonly string[],
): Promise<void> => {
  const { rows } = await on.query(secondaryIndexes, [tables]);
  const indexes = statements.parse(rows);
  for (const { drop } of indexes) await on.query(drop);
  await fill();
  for (const { build } of indexes) await on.query(build);
};
