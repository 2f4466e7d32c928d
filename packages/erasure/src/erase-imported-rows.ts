import { emailKey } from '@leadback/domain';
import { type PoolClient, preparedStatement, type Queryable } from '@leadback/db';
import type { FoundPerson } from './find-person.ts';

interface FoundRow {
  readonly import_id: number;
  readonly line: number;
  /** Of a row that only JavaScript can compare: the letters are beyond ASCII. */
  readonly unusual_email: string | null;
}

// what JavaScript trims from a cell before it is registered
const blank = String.raw`U&' \0009\000A\000B\000C\000D\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'`;
const cell = (column: string) => `btrim(r.cells ->> (array_position(i.columns, ${column}) - 1), ${blank})`;
const reference = cell(`case i.subject when 'client' then 'externalReference' else 'clientExternalReference' end`);

// A row with the lead of the person and another email is about somebody else, as such a client is, unless the lead itself
// is to be erased.
const find = preparedStatement<FoundRow>(
  'find-imported-rows-to-erase',
  `with marked as materialized (
     select r.import_id, r.line
     from (
       select import_mark($1, 'email', email) as mark from unnest($2::text[]) email
       union select import_mark($1, 'unusual', 'email') where cardinality($2::text[]) > 0) named
     cross join lateral (select import_id, line from import_row where email_mark = named.mark offset 0) r
     union
     select r.import_id, r.line
     from (select import_mark($1, 'reference', reference) as mark from unnest($3::text[]) reference) named
     cross join lateral (select import_id, line from import_row where reference_mark = named.mark offset 0) r
     union
     select r.import_id, r.line
     from (
       select import_mark($1, 'lead', lead) as mark
       from unnest($5::text[] || $6::text[] || array[$7::text]) lead where lead is not null) named
     cross join lateral (select import_id, line from import_row where lead_mark = named.mark offset 0) r
     union
     select r.import_id, r.line
     from (
       select unnest($4::bigint[]) as id
       union
       select v.id from unnest($4::bigint[]) c (id)
       cross join lateral (select id from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
     ) registered
     cross join lateral (select import_id, line from import_row where record_id = registered.id offset 0) r
   )
   select r.import_id, r.line, case when not f.is_certain then f.email end as unusual_email
   from marked m
   cross join lateral (select * from import where id = m.import_id limit 1) i
   cross join lateral (select * from import_row where import_id = m.import_id and line = m.line limit 1) r
   cross join lateral (
     select nullif(${cell(`'email'`)}, '') as email, nullif(${reference}, '') as reference,
            ${cell(`'leadReference'`)} as lead_reference
   ) c
   cross join lateral (
     select c.email,
       coalesce(lower(c.email) = any($2), false)
       or coalesce(c.reference = any($3), false)
       or coalesce(c.lead_reference = $7, false)
       or c.email is null and coalesce(c.lead_reference = any($5), false)
       or c.email is null and c.reference is null and coalesce(c.lead_reference = any($6), false)
       or coalesce(r.record_id = any(case i.subject when 'client' then $4::bigint[] else array(
            select v.id from conversion v where v.account_id = $1 and v.client_id = any($4)) end), false) as is_certain
   ) f
   where i.account_id = $1 and (i.is_test or not $8)
     and (f.is_certain or cardinality($2::text[]) > 0 and f.email ~ '[^ -~]')`,
);

// a row that waits must not be registered any more
const erase = preparedStatement(
  'erase-imported-rows',
  `update import_row r
   set cells = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(r.cells)), trial_reference = null, trial_event_id = null,
       outcome = coalesce(r.outcome, 'refused'), message = case when r.outcome is null then 'erased' else r.message end
   from unnest($1::bigint[], $2::int[]) gone (import_id, line)
   where r.import_id = gone.import_id and r.line = gone.line
   returning 1`,
);

/**
 * Finds the rows of imports that have an email, a reference or the lead of a person, or registered them: by the hashes
 * of what they name.
 */
export const findImportedRows = async (on: Queryable, person: FoundPerson): Promise<readonly FoundRow[]> => {
  const { accountId, emailKeys, references, clientIds, isTest } = person;
  const { ownLeadReferences, leadReferences, leadReference } = person;
  const keys = new Set(emailKeys);
  const found = await find(on, [
    accountId,
    emailKeys,
    references,
    clientIds,
    ownLeadReferences,
    leadReferences,
    leadReference,
    isTest,
  ]);
  return found.filter(({ unusual_email: email }) => email === null || keys.has(emailKey(email)));
};

/** Empties these rows. Returns how many. Their imports must be locked. */
export const eraseImportedRows = async (on: PoolClient, person: FoundPerson): Promise<number> => {
  const theirs = await findImportedRows(on, person);
  if (theirs.length === 0) return 0;
  const rows = await erase(on, [theirs.map((row) => row.import_id), theirs.map(({ line }) => line)]);
  return rows.length;
};
