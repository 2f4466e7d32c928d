import { type Pool, preparedStatement } from '@leadback/db';
import { toldOfFinished } from '../delivery/tell-webhooks.ts';
import { deleteImportRows } from './delete-import-rows.ts';
import { refuseAbandonedImports } from './store-import.ts';

const findRefused = preparedStatement<{ id: number }>(
  'find-refused-imports',
  `select id from import where finished_at is null and id > 0 and state = 'refused' order by id limit 10`,
);

// another instance may be deleting the rest
const finish = preparedStatement(
  'finish-refused-import',
  `with finished as (
     update import set finished_at = now()
     where id = $1 and state = 'refused' and finished_at is null
       and not exists (select from import_row where import_id = $1)
     returning id, account_id, is_test, state, counts
   ), ${toldOfFinished('import')}
   select from finished`,
);

/** Refuses uploads that were abandoned, and deletes the rows of imports that were refused. */
export const cleanUpImports = async (pool: Pool): Promise<void> => {
  await refuseAbandonedImports(pool);
  for (const { id } of await findRefused(pool, [])) {
    while (await deleteImportRows(pool, id));
    await finish(pool, [id]);
  }
};
