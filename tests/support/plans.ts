import type { Pool, PoolClient } from '@leadback/db';
import { z } from 'zod';

const preparedSchema = z.object({ name: z.string(), text: z.string(), values: z.array(z.unknown()) });

export type RecordedStatement = z.infer<typeof preparedSchema>;

/** A pool that records each prepared statement that it runs, also in transactions, with its last values. */
export const recordingPool = (pool: Pool): { readonly pool: Pool; readonly statements: () => RecordedStatement[] } => {
  const recorded = new Map<string, RecordedStatement>();
  const recordingQuery = (target: Pool | PoolClient) => (query: unknown, values?: unknown[]) => {
    const statement = preparedSchema.safeParse(query);
    if (statement.success) recorded.set(statement.data.name, statement.data);
    return Reflect.apply(target.query, target, [query, values]);
  };
  const recording = <On extends Pool | PoolClient>(target: On): On =>
    new Proxy(target, {
      get(on, name) {
        if (name === 'query') return recordingQuery(on);
        const value: unknown = Reflect.get(on, name);
        if (typeof value !== 'function') return value;
        if (name !== 'connect') return value.bind(on);
        return async () => recording(await pool.connect());
      },
    });
  return { pool: recording(pool), statements: () => [...recorded.values()] };
};

const planSchema = z.array(z.object({ 'QUERY PLAN': z.string() }));

/**
 * Returns the lines of a statement's generic plan that read a whole table: the plan that each connection keeps, however
 * much the tables grow, until PostgreSQL analyzes them.
 */
export const wholeTableReads = async (on: PoolClient, { text, values }: RecordedStatement): Promise<string[]> => {
  await on.query('set plan_cache_mode = force_generic_plan');
  await on.query(`prepare explained as ${text}`);
  const parameters = values.map((value) => {
    if (value === null) return 'null';
    if (Array.isArray(value)) return `'{}'`;
    return `'${z.coerce.string().parse(value).replaceAll(`'`, `''`)}'`;
  });
  const execute = parameters.length === 0 ? 'execute explained' : `execute explained (${parameters.join(', ')})`;
  const { rows } = await on.query(`explain ${execute}`);
  await on.query('deallocate explained');
  return (
    planSchema
      .parse(rows)
      .map((row) => row['QUERY PLAN'].trim())
      // has a row per process
      .filter((line) => line.includes('Seq Scan on ') && !line.includes('landing_instance'))
  );
};
