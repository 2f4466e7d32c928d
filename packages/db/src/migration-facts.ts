import { z } from 'zod';
import type { EntityManager } from './database.ts';
import { migrations } from './migrations/index.ts';

export interface MigrationFacts {
  /** Migrations of this code that have not run. */
  readonly pending: readonly string[];
  /** Migrations that have run but are unknown to this code: newer code was deployed before. */
  readonly unknown: readonly string[];
  /** The one that ran last; undefined: none has run. */
  readonly newest: string | undefined;
}

const namesSchema = z.array(z.object({ name: z.string() }));

/** Compares the migrations that have run with those of this code. Reads only. */
export const readMigrationFacts = async (em: EntityManager): Promise<MigrationFacts> => {
  const rows = await em.execute(`select to_regclass('mikro_orm_migrations')::text as name`);
  const [table] = z.tuple([z.object({ name: z.string().nullable() })]).parse(rows);
  const known = migrations.map(({ name }) => name);
  if (table.name === null) return { pending: known, unknown: [], newest: undefined };
  const ran = namesSchema.parse(await em.execute('select name from mikro_orm_migrations order by id'));
  const names = ran.map(({ name }) => name);
  return {
    pending: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
    newest: names.at(-1),
  };
};
