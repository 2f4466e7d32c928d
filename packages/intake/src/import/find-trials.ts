import { type PoolClient, preparedStatement } from '@leadback/db';

const find = preparedStatement<{ cells: readonly string[] }>(
  'find-trials',
  `select cells from import_row where import_id = $1 and trial_reference = any($2) order by line`,
);

/** The cells of earlier rows of a dry run that would have registered one of these references. */
export const findTrials = async (
  on: PoolClient,
  importId: number,
  references: readonly string[],
): Promise<(readonly string[])[]> =>
  references.length === 0 ? [] : (await find(on, [importId, references])).map(({ cells }) => cells);
