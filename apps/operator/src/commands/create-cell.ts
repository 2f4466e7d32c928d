import { type CellRefusal, cellNumberMax, createCell as create, idRangeOf } from '@leadback/db';
import { z } from 'zod';
import { cellNameSchema } from '../cells/cell-name.ts';
import { nextStepsOf } from '../cells/next-steps.ts';
import { createSchema } from '../cells/create-schema.ts';
import { command } from '../command.ts';
import { OperatorError } from '../operator-error.ts';

const whyRefused = (refusal: CellRefusal, number: number): string => {
  if (refusal.kind === 'other-cell') {
    return `this database is cell ${refusal.cell}, and a cell keeps its number. Give --number ${refusal.cell}, or the DATABASE_URL of another database.`;
  }
  const { first, last } = idRangeOf(number);
  const { table, ids } = refusal;
  return (
    `the table ${table} has ids from ${ids.first} to ${ids.last}, and those of cell ${number} are from ${first} to ${last}. ` +
    'Nothing was changed. Create the cell in an empty database or schema; an installation that was not created as a cell is number 0.'
  );
};

export const createCell = command({
  name: 'cell create',
  summary:
    'create a cell, or make this installation cell 0: migrate the database and give all its ids a range that no other cell has. Run it as leadback_owner, before the apps of a new cell start; it is safe to run again. See docs/cells.md',
  argument: '<name>',
  options: [
    ['--number <n>', `which of the ranges of 10^12 ids, 0 to ${cellNumberMax}; each cell has its own, for ever`],
    ['--schema', 'create a schema for the cell in the database, instead of using all of the database'],
  ],
  input: z.object({
    id: cellNameSchema,
    number: z.coerce
      .number(`expected a whole number from 0 to ${cellNumberMax}`)
      .refine((number) => Number.isInteger(number) && number >= 0 && number <= cellNumberMax, {
        error: `expected a whole number from 0 to ${cellNumberMax}`,
      }),
    schema: z.boolean().default(false),
  }),
  async run({ id: name, number, schema: hasSchema }, { databaseUrl, env }) {
    const { url, pgOptions } = hasSchema
      ? await createSchema(databaseUrl, name, env['PGOPTIONS'])
      : { url: databaseUrl };
    const creation = await create(url, number);
    if (creation.kind !== 'created') throw new OperatorError(whyRefused(creation, number));
    const { ids, migrations } = creation;
    return {
      cell: name,
      number,
      firstId: ids.first,
      lastId: ids.last,
      migrations: migrations.length,
      next: nextStepsOf(name, pgOptions),
    };
  },
});
