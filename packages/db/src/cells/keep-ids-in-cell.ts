import { Migration } from '@mikro-orm/migrations';
import { cellsOf, type Execute, giveRange, readIdSequences } from './id-sequences.ts';

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
