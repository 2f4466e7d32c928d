import { preparedStatement } from '@leadback/db';

/** A conversion in the order of the list. */
export interface ListedRow {
  id: number;
  /** When it occurred, in ISO 8601 with microseconds. */
  occurred_at: string;
  is_match: boolean;
  /** Whether the search of its connection ended here, although there are more. */
  is_end: boolean;
}

const position = (time: string, id: string) =>
  `${id} as id, to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at`;

// The first parameters of all: account, mode, the earliest time, where the page begins, and how many are wanted.
//
// PostgreSQL would read all that matches and sort it, instead of reading some in the order of an index, if it expected few
// rows. It does between two times that it does not know: so both ends of the range compare rows. And it does if the table
// was not analyzed yet and it knows how many are wanted: so it learns that from a subquery, which `offset 0` keeps.
const begins = (time: string, id: string) => `(${time}, ${id}) < ($4::timestamptz, $5::bigint)`;
const newestFirst = (time: string, id: string) => `order by ${time} desc, ${id} desc`;

const occurredAt = 'coalesce(occurred_at, created_at)';

export const findAll = preparedStatement<ListedRow>(
  'find-conversions',
  `select ${position('v.occurred_at', 'v.id')}, true as is_match, false as is_end
   from (select $6::int as rows_max offset 0) wanted
   cross join lateral (
     select id, ${occurredAt} as occurred_at from conversion
     where account_id = $1 and is_test = $2 and ${begins(occurredAt, 'id')} and (${occurredAt}, id) >= ($3::timestamptz, 0)
     ${newestFirst(occurredAt, 'id')} limit wanted.rows_max
   ) v`,
);

/** SQL: connections (id, rows_max). */
const connections = (rowsMax: string) => `
     select id, ${rowsMax} as rows_max from platform_connection
     where account_id = $1 and platform = any($7::text[]) offset 0`;

/** Deliveries of conversions through the connection c; `$1` is compared with their account afterwards. */
const newest = (since: string, condition = '') => `
       select account_id, occurred_at, conversion_id, state from feedback
       where connection_id = c.id and is_test = $2 and ${begins('occurred_at', 'conversion_id')}
         and (occurred_at, conversion_id) >= (${since}, 0) ${condition}
         and coalesce(conversion_id, 0) > 0 -- in these words, the condition of the indexes
       ${newestFirst('occurred_at', 'conversion_id')} limit c.rows_max`;

/** By platforms ($7) and failed, skipped or both ($8): those of each connection and state have their place in an index. */
export const findUndelivered = preparedStatement<ListedRow>(
  'find-undelivered-conversions',
  `select distinct on (f.occurred_at, f.conversion_id) ${position('f.occurred_at', 'f.conversion_id')},
          true as is_match, false as is_end
   from (${connections('$6::int')}) c
   cross join unnest($8::text[]) wanted (state)
   cross join lateral (${newest('$3::timestamptz', 'and undelivered = wanted.state')}) f
   where f.account_id = $1
   ${newestFirst('f.occurred_at', 'f.conversion_id')} limit $6`,
);

/** With more parcels than this, pending deliveries are not rare. */
const parcelsMax = 100;

// Most deliveries are delivered, and the newest ones are pending, so matches are soon found. If not, the search of each
// connection ends after its share of the rows that a statement may read ($9), and tells where. No delivery is pending
// whose conversion occurred before the oldest one in a parcel. Some parcels are read in the order of their index: for
// that the condition on it, which is always true.
/** By platforms ($7) and states ($8). */
export const findByState = preparedStatement<ListedRow>(
  'find-conversions-by-state',
  `select ${position('f.occurred_at', 'f.conversion_id')}, f.is_match, f.is_end
   from (${connections('greatest($9::int / count(*) over (), 1)')}) c
   cross join lateral (
     select case when $8::text[] <> '{pending}' or count(*) > ${parcelsMax} then '-infinity'
                 else coalesce(min(oldest_at) filter (where is_test = $2), 'infinity') end as oldest_at
     from (select oldest_at, is_test from feedback_due
           where $8::text[] = '{pending}' and connection_id = c.id
             and not_before >= '-infinity' and not_before <= 'infinity'
           order by not_before limit ${parcelsMax + 1}) parcels
   ) since
   cross join lateral (
     select occurred_at, conversion_id, state = any($8::text[]) as is_match, place = c.rows_max as is_end
     from (
       select *, row_number() over () as place
       from (${newest('greatest($3::timestamptz, since.oldest_at)')}) newest
       where account_id = $1
     ) numbered
     where state = any($8::text[]) or place = c.rows_max
     limit $6
   ) f`,
);
