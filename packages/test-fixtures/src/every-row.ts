import { Client } from 'pg';
import type { TestDatabase } from './given-database.ts';

/** Every row of a database as text, by table. Rows of partitions are listed under their parent table. */
export const everyRow = async ({ url }: Pick<TestDatabase, 'url'>): Promise<ReadonlyMap<string, readonly string[]>> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const all = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`select t::text as text from "${name}" t order by 1`);
    all.set(
      name,
      rows.map(({ text }) => text),
    );
  }
  await client.end();
  return all;
};
