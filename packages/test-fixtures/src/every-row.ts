import type { Database } from '@leadback/db';

/** Every row of a database as text, by table. Rows of partitions are listed under their parent table. */
export const everyRow = async ({ pool }: Pick<Database, 'pool'>): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const all = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from "${name}" t order by 1`);
    all.set(
      name,
      rows.map(({ text }) => text),
    );
  }
  return all;
};
