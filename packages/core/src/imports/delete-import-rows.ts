import { type Pool, preparedStatement } from '@leadback/db';

const rowsMax = 5_000;

const deleteRows = preparedStatement(
  'delete-import-rows',
  `delete from import_row where ctid = any(array(select ctid from import_row where import_id = $1 limit ${rowsMax}))
   returning 1`,
);

/** Deletes up to 5,000 rows of an import. Returns whether there may be more. */
export const deleteImportRows = async (pool: Pool, importId: number): Promise<boolean> =>
  (await deleteRows(pool, [importId])).length === rowsMax;
