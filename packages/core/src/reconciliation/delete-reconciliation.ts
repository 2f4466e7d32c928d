import { type Pool, preparedStatement } from '@leadback/db';

const rowsMax = 2_000;

const firstRow = preparedStatement<{ number: number }>(
  'first-row-of-reconciliation',
  'select number from reconciliation_row where reconciliation_id = $1 and number > $2 order by number limit 1',
);

const deleteRows = preparedStatement(
  'delete-reconciliation-rows',
  'delete from reconciliation_row where reconciliation_id = $1 and number > $2 and number <= $3',
);

// Waits for the statement that adds rows, if one does; no other follows. A list that is received is still found by
// `deleteCutOffList` then, if this process ends before all is deleted.
const close = preparedStatement(
  'close-reconciliation',
  `update reconciliation
   set step = case when step = 'receive' then step end, finished_at = coalesce(finished_at, clock_timestamp()),
       worked_at = clock_timestamp()
   where id = $1`,
);

const deleteHeader = preparedStatement('delete-reconciliation', 'delete from reconciliation where id = $1');

/** Deletes a reconciliation: ends the work on it, then deletes its rows slice by slice, then the rest. */
export const deleteReconciliation = async (pool: Pool, id: number): Promise<void> => {
  await close(pool, [id]);
  for (let after = 0; (await firstRow(pool, [id, after])).length > 0; after += rowsMax) {
    await deleteRows(pool, [id, after, after + rowsMax]);
  }
  await deleteHeader(pool, [id]);
};

// each slice of rows renews the time
const takeCutOff = preparedStatement<{ id: number }>(
  'take-cut-off-list',
  `update reconciliation set worked_at = clock_timestamp()
   where id = any(array(
     select id from reconciliation
     where step = 'receive' and worked_at < now() - interval '1 hour' order by worked_at limit 1
     for update skip locked))
   returning id`,
);

/** Deletes one list whose upload was cut off. Returns whether there was one. */
export const deleteCutOffList = async (pool: Pool): Promise<boolean> => {
  const [list] = await takeCutOff(pool, []);
  if (list) await deleteReconciliation(pool, list.id);
  return list !== undefined;
};
