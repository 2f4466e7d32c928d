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

// The first parameters of all: account, mode, from, until, the position before the page, and how many are wanted.
const inRange = (time: string, id: string) =>
  `${time} >= $3::timestamptz and ${time} < $4::timestamptz and (${time}, ${id}) < ($5::timestamptz, $6::bigint)`;

const occurredAt = 'coalesce(v.occurred_at, v.created_at)';

export const findAll = preparedStatement<ListedRow>(
  'find-conversions',
  `select ${position(occurredAt, 'v.id')}, true as is_match, false as is_end
   from conversion v where v.account_id = $1 and v.is_test = $2 and ${inRange(occurredAt, 'v.id')}
   order by ${occurredAt} desc, v.id desc limit $7`,
);

const connections = 'platform_connection where account_id = $1 and platform = any($8::text[])';
// the last condition, in these words, is that of the indexes
const deliveries = `feedback where connection_id = c.id and account_id + 0 = $1 and is_test = $2
         and ${inRange('occurred_at', 'conversion_id')} and coalesce(conversion_id, 0) > 0`;
const newestFirst = 'order by occurred_at desc, conversion_id desc';

/** By platforms ($8) and failed, skipped or both ($9): those of each connection and state have their place in an index. */
export const findUndelivered = preparedStatement<ListedRow>(
  'find-undelivered-conversions',
  `select distinct on (f.occurred_at, f.conversion_id) ${position('f.occurred_at', 'f.conversion_id')}, true as is_match,
          false as is_end
   from (select id from ${connections}) c
   cross join unnest($9::text[]) wanted (state)
   cross join lateral (
     select occurred_at, conversion_id from ${deliveries} and undelivered = wanted.state ${newestFirst} limit $7) f
   order by f.occurred_at desc, f.conversion_id desc limit $7`,
);

/** With more parcels than this, pending deliveries are not rare. */
const parcelsMax = 100;

// Most deliveries are delivered, and the newest ones are pending, so matches are soon found. If not, the search of each
// connection ends after its share of the rows that a statement may read ($10), and tells where. No delivery is pending
// whose conversion occurred before the oldest one in a parcel. Some parcels are read in the order of their index: for that
// the condition on it, which is always true.
/** By platforms ($8) and states ($9). */
export const findByState = preparedStatement<ListedRow>(
  'find-conversions-by-state',
  `select ${position('f.occurred_at', 'f.conversion_id')}, f.is_match, f.is_end
   from (select id, greatest($10::int / count(*) over (), 1) as rows_max from ${connections}) c
   cross join lateral (
     select case when $9::text[] <> '{pending}' or count(*) > ${parcelsMax} then '-infinity'
                 else coalesce(min(oldest_at), 'infinity') end as oldest_at
     from (select oldest_at from feedback_due
           where $9::text[] = '{pending}' and connection_id = c.id and is_test = $2
             and not_before >= '-infinity' and not_before <= 'infinity'
           order by not_before limit ${parcelsMax + 1}) parcels
   ) since
   cross join lateral (
     select occurred_at, conversion_id, state = any($9::text[]) as is_match, place = c.rows_max as is_end
     from (
       select occurred_at, conversion_id, state, row_number() over () as place
       from (
         select occurred_at, conversion_id, state from ${deliveries} and occurred_at >= since.oldest_at ${newestFirst}
         limit c.rows_max
       ) newest
     ) numbered
     where state = any($9::text[]) or place = c.rows_max
     limit $7
   ) f`,
);
