import { z } from 'zod';
import { Migration } from '@mikro-orm/migrations';

// JSON numbers are exact up to 9 × 10^15
const idsPerCell = 10 ** 12;

/** The highest number of a cell. */
export const cellNumberMax = 8_999;

/** The first and the last id of a cell. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** The ids of a cell, of all its tables. Cell 0 has the ids of an installation without cells. */
export const idRangeOf = (cell: number): IdRange => ({
  first: cell * idsPerCell + 1,
  last: (cell + 1) * idsPerCell - 1,
});

/** The cell that has exactly this range; undefined if there is none. */
const cellWith = (first: bigint, last: bigint): number | undefined => {
  const cell = Number(first / BigInt(idsPerCell));
  const range = idRangeOf(cell);
  return first === BigInt(range.first) && last === BigInt(range.last) ? cell : undefined;
};

/** Runs a statement and returns its rows: on a pool, or within a migration. */
export type Execute = (sql: string) => Promise<unknown>;

const sequencesSchema = z.array(
  z.object({
    // quoted for SQL
    sequence: z.string(),
    table: z.string(),
    column: z.string(),
    first: z.coerce.bigint(),
    last: z.coerce.bigint(),
    position: z.coerce.number(),
  }),
);

/** A sequence of ids. `sequence`, `table` and `column` are quoted for SQL. */
export interface IdSequence {
  readonly sequence: string;
  readonly table: string;
  readonly column: string;
  /** The cell to which its range belongs; undefined if it has the range of no cell. */
  readonly cell: number | undefined;
  /** The id that it gave last, or the first that it will give. */
  readonly position: number;
}

/**
 * The sequences of ids in the schema of the connection, of the owner of the migrations. Not those of `int`: only the list
 * of migrations has one.
 */
export const readIdSequences = async (execute: Execute): Promise<IdSequence[]> => {
  const rows = await execute(`
    select quote_ident(c.relname) as sequence, quote_ident(t.relname) as "table", quote_ident(a.attname) as "column",
           s.seqmin as first, s.seqmax as last, coalesce(v.last_value, s.seqstart) as position
    from pg_sequence s
    join pg_class c on c.oid = s.seqrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class migrations on migrations.relnamespace = n.oid and migrations.relname = 'mikro_orm_migrations'
      and migrations.relowner = c.relowner
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
      and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    join pg_sequences v on v.schemaname = n.nspname and v.sequencename = c.relname
    where n.nspname = current_schema() and s.seqtypid = 'bigint'::regtype
    order by c.relname`);
  return sequencesSchema
    .parse(rows)
    .map(({ first, last, ...sequence }) => ({ ...sequence, cell: cellWith(first, last) }));
};

/** The cells whose ranges the sequences have: none, one, or several if something is wrong. */
export const cellsOf = (sequences: readonly IdSequence[]): readonly number[] => [
  ...new Set(sequences.flatMap(({ cell }) => cell ?? [])),
];

/** The statement that gives a sequence the range of a cell. One that is within it goes on where it is. */
export const giveRange = ({ sequence, position }: IdSequence, cell: number): string => {
  const { first, last } = idRangeOf(cell);
  const restart = position < first || position > last ? ' restart' : '';
  return `alter sequence ${sequence} minvalue ${first} maxvalue ${last} start ${first}${restart}`;
};

/** Gives new sequences the range of the cell that the others have. Does nothing if the database is not a cell. */
const keepIdsInCell = async (execute: Execute): Promise<void> => {
  const sequences = await readIdSequences(execute);
  const [cell, ...others] = cellsOf(sequences);
  if (cell === undefined || others.length > 0) return;
  for (const sequence of sequences) {
    if (sequence.cell === undefined) await execute(giveRange(sequence, cell));
  }
};

interface NamedMigration {
  readonly name: string;
  readonly class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

/**
 * The migration, with ids of new tables in the range of the cell from the start: triggers of running apps may write into a
 * table as soon as the transaction of the migration has ended.
 */
export const inCell = ({ name, class: Inner }: NamedMigration): NamedMigration => ({
  name,
  class: class extends Migration {
    readonly #inner = new Inner(this.driver, this.config);

    override isTransactional(): boolean {
      return this.#inner.isTransactional();
    }

    override async up(): Promise<void> {
      this.#inner.reset();
      if (this.ctx) this.#inner.setTransactionContext(this.ctx);
      await this.#inner.up();
      for (const query of this.#inner.getQueries()) await this.execute(query);
      await keepIdsInCell((sql) => this.execute(sql));
    }
  },
});
