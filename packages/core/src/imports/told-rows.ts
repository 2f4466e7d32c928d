import { type Pool, preparedStatement } from '@leadback/db';
import { type ToldOutcome, withMessage } from './import-result.ts';
import { type ImportSubject, referenceColumnOf } from './import-subject.ts';
import type { ImportRecord } from './read-import.ts';

/** A row of which there is something to say. */
export interface ToldRow {
  readonly line: number;
  /** The partner's own reference of the client or conversion; null: none, or its person was erased. */
  readonly reference: string | null;
  readonly message: string;
}

const read = preparedStatement<ToldRow>(
  'read-told-rows-of-import',
  `select line, nullif(btrim(cells ->> $5::int), '') as reference, message
   from import_row where ${withMessage('$2')} and line > $3 order by line limit $4`,
);

const placeOf = (columns: readonly string[], subject: ImportSubject): number | null => {
  const place = columns.indexOf(referenceColumnOf[subject]);
  return place === -1 ? null : place;
};

/** Reads rows with an outcome and a message in the order of the file, without personal data. */
export const readToldRows = (
  pool: Pool,
  { id, of, columns }: Pick<ImportRecord, 'id' | 'of' | 'columns'>,
  { outcome, after, limit }: { readonly outcome: ToldOutcome; readonly after: number; readonly limit: number },
): Promise<ToldRow[]> => read(pool, [id, outcome, after, limit, placeOf(columns, of)]);
