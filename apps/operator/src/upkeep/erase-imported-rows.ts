import { emailKey } from '@leadback/domain';
import { type PoolClient, preparedStatement } from '@leadback/db';

export interface ImportedPerson {
  readonly accountId: number;
  readonly email?: string | undefined;
  readonly references: readonly string[];
  readonly clientIds: readonly number[];
}

interface FoundRow {
  readonly import_id: number;
  readonly line: number;
  /** Of a row that only JavaScript can compare: the letters are beyond ASCII. */
  readonly unusual_email: string | null;
}

const cell = (column: string) => `btrim(r.cells ->> (array_position(i.columns, ${column}) - 1))`;
const reference = cell(`case i.subject when 'client' then 'externalReference' else 'clientExternalReference' end`);

const find = preparedStatement<FoundRow>(
  'find-imported-rows-to-erase',
  `select r.import_id, r.line, case when not f.is_certain then f.email end as unusual_email
   from import i
   join import_row r on r.import_id = i.id
   cross join lateral (select ${cell(`'email'`)} as email) e
   cross join lateral (
     select e.email, coalesce(lower(e.email) = $2, false) or coalesce(${reference} = any($3), false)
       or coalesce(r.record_id = any(case i.subject when 'client' then $4::bigint[] else array(
            select v.id from conversion v where v.account_id = $1 and v.client_id = any($4)) end), false) as is_certain
   ) f
   where i.account_id = $1 and (f.is_certain or $2::text is not null and f.email ~ '[^ -~]')`,
);

// a row that waits must not be registered any more
const erase = preparedStatement(
  'erase-imported-rows',
  `update import_row r
   set cells = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(r.cells)), trial_reference = null,
       outcome = coalesce(r.outcome, 'refused'), message = case when r.outcome is null then 'erased' else r.message end
   from unnest($1::bigint[], $2::int[]) gone (import_id, line)
   where r.import_id = gone.import_id and r.line = gone.line
   returning 1`,
);

/** Empties the rows of imports that have the email or a reference of a person, or registered them. Returns how many. */
export const eraseImportedRows = async (on: PoolClient, person: ImportedPerson): Promise<number> => {
  const key = person.email === undefined ? null : emailKey(person.email);
  const found = await find(on, [person.accountId, key, person.references, person.clientIds]);
  const theirs = found.filter(({ unusual_email: email }) => email === null || emailKey(email) === key);
  if (theirs.length === 0) return 0;
  const rows = await erase(on, [theirs.map((row) => row.import_id), theirs.map(({ line }) => line)]);
  return rows.length;
};
