import { type PoolClient, preparedStatement } from '@leadback/db';

// An event id may be that of one row and the reference of another. The order of each read leaves no other index.
const find = preparedStatement<{ cells: readonly string[] }>(
  'find-trials',
  `select distinct on (line) cells from (
     select r.* from unnest($2::text[]) asked (reference)
     cross join lateral (
       select line, cells from import_row
       where import_id = $1 and trial_reference between asked.reference and asked.reference
       order by import_id, trial_reference limit 1
     ) r
     union all
     select r.* from unnest($3::text[]) asked (event_id)
     cross join lateral (
       select line, cells from import_row
       where import_id = $1 and trial_event_id between asked.event_id and asked.event_id
       order by import_id, trial_event_id limit 2
     ) r
   ) earlier
   order by line`,
);

export interface TrialNames {
  readonly references: readonly string[];
  readonly eventIds: readonly string[];
}

/** The cells of earlier rows of a dry run that would have registered one of these references or event ids. */
export const findTrials = async (
  on: PoolClient,
  importId: number,
  { references, eventIds }: TrialNames,
): Promise<(readonly string[])[]> => {
  if (references.length + eventIds.length === 0) return [];
  return (await find(on, [importId, references, eventIds])).map(({ cells }) => cells);
};
