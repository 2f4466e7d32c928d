import { type PoolClient, preparedStatement } from '@leadback/db';
import type { OpenImport } from './open-import.ts';

interface Row {
  readonly line: number;
  readonly item: Readonly<Record<string, string | number>>;
  readonly claimedId: number | null;
}

interface Known {
  readonly line: number;
  readonly id: number;
}

// clients without a reference cannot be recognised but by the file and the line
const findSameRows = preparedStatement<Known>(
  'find-rows-of-same-file',
  `select asked.line, r.record_id as id from unnest($5::int[]) asked (line)
   cross join lateral (
     select record_id from import_row
     where import_id = any(array(
             select id from import
             where account_id = $1 and digest = $2 and is_test = $3 and id <> $4 and subject = 'client' and not is_dry_run))
       and line = asked.line and record_id is not null and outcome is not null
     limit 1
   ) r`,
);

// Or by what a result file says; a row with the reference of another client is that client. The account is compared
// outside: inside, a plan made for few clients would read all of the account.
const findClaimed = preparedStatement<Known>(
  'find-claimed-clients',
  `select asked.line, c.id from unnest($3::int[], $4::bigint[], $5::text[]) asked (line, id, reference)
   cross join lateral (
     select id, account_id, is_test, case when is_test then test_reference else external_reference end as reference
     from client where id = asked.id limit 1
   ) c
   where c.account_id = $1 and c.is_test = $2
     and (asked.reference is null or c.reference is null or c.reference = asked.reference)`,
);

/** The clients that rows of a client import registered earlier, by line. */
export const findKnownClients = async (
  on: PoolClient,
  { id, accountId, isTest, digest, subject }: OpenImport,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, number>> => {
  if (subject !== 'client') return new Map();
  const referenceOf = ({ item }: Row) => item['externalReference']?.toString() ?? null;
  const nameless = rows.filter((row) => referenceOf(row) === null).map(({ line }) => line);
  const claims = rows.filter(({ claimedId }) => claimedId !== null);
  const same = nameless.length === 0 ? [] : await findSameRows(on, [accountId, digest, isTest, id, nameless]);
  const claimed =
    claims.length === 0
      ? []
      : await findClaimed(on, [
          accountId,
          isTest,
          claims.map(({ line }) => line),
          claims.map(({ claimedId }) => claimedId),
          claims.map(referenceOf),
        ]);
  return new Map([...same, ...claimed].map((found) => [found.line, found.id]));
};
