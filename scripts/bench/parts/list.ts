import type { Pool } from 'pg';
import { z } from 'zod';
import { type Figures, quantile } from '../figures.ts';
import { fillTables } from '../fill-tables.ts';
import { givenAccount } from '../given-account.ts';
import type { Part } from '../part.ts';
import { say } from '../say.ts';

const rows = 2_000_000;
const days = 365;
const requests = 200;
const target = { atMost: 50 };

// Oldest first, over a year. Of the two platforms, Meta takes nearly all; Google has no click of nearly all, so that a
// page of delivered ones is rare. The newest deliveries are pending, and one of each half year, so that a search for pending
// ones must go far back.
const conversionsInTime = `update conversion set occurred_at = now() - ($1::int - id) * interval '1 day' * ${days} / $1`;
const deliveries = `
  insert into feedback (account_id, conversion_id, connection_id, occurred_at, state, undelivered, reason, closed_at)
  select v.account_id, v.id, c.id, v.occurred_at, its.state, case when its.state in ('failed', 'skipped') then its.state end,
         case its.state when 'failed' then 'error_100' when 'skipped' then 'no_click_id' end,
         case when its.state <> 'pending' then now() end
  from conversion v cross join platform_connection c
  cross join lateral (
    select case when v.id > $1::int - 200 or v.id % ($1 / 2) = 7 then 'pending'
                when c.platform = 'google' and v.id % 5000 > 0 then 'skipped'
                when v.id % 100 = 1 then 'failed'
                when v.id % 100 = 2 then 'skipped'
                else 'delivered' end as state) its`;

const parcels = `
  with open as (
    select *, (row_number() over (partition by connection_id order by id) - 1) / 100 as part
    from feedback where state = 'pending'
  ), parcel as (
    insert into feedback_due (account_id, connection_id, feedback_ids, not_before, oldest_at)
    select account_id, connection_id, array_agg(id), now(), min(occurred_at) from open group by account_id, connection_id, part
    returning id, feedback_ids
  )
  update feedback f set parcel_id = parcel.id from parcel where f.id = any(parcel.feedback_ids)`;

/** Conversions of a year, each with two deliveries. */
const givenHistory = async (pool: Pool): Promise<void> => {
  say(`  inserting ${2 * rows} deliveries`);
  const connection = await pool.connect();
  try {
    await connection.query('set session_replication_role = replica'); // no triggers and no foreign keys
    await connection.query(conversionsInTime, [rows]);
    await connection.query(deliveries, [rows]);
    await connection.query(parcels);
    await connection.query('vacuum analyze');
    await connection.query('checkpoint');
  } finally {
    connection.release(true);
  }
};

const filters = [
  '',
  'platform=meta',
  'platform=google',
  'state=delivered',
  'state=failed',
  'state=skipped',
  'state=pending',
  'platform=google&state=delivered',
  'platform=google&state=failed',
  'platform=meta&state=skipped',
] as const;

const nameOf = (filter: string) => (filter === '' ? 'without a filter' : filter);
const pageSchema = z.object({ next: z.string().nullable() });

const dayAt = (share: number) => new Date(Date.now() - share * days * 86_400_000).toISOString().slice(0, 10);

/** Each request begins at another day, or at the end of the page before. */
const pages =
  (url: string, headers: Readonly<Record<string, string>>, filter: string) => async (): Promise<Figures> => {
    const taken: number[] = [];
    let next: string | null = null;
    for (let count = 0; count < requests; count += 1) {
      // as many pages of a range as people turn
      const range: string = count % 5 > 0 && next !== null ? `&after=${next}` : `&to=${dayAt(count / requests)}`;
      const start = performance.now();
      const response = await fetch(`${url}?${filter}${range}`, { headers });
      const page = pageSchema.parse(await response.json());
      taken.push(performance.now() - start);
      next = page.next;
    }
    return { 'p50 ms': quantile(taken, 0.5), 'p99 ms': quantile(taken, 0.99), 'slowest ms': Math.max(...taken) };
  };

export const list: Part = {
  does: () => `list: pages of 50 of ${rows.toLocaleString('en')} conversions with two deliveries each, one at a time`,
  goals: () => filters.map((filter) => ({ measurement: nameOf(filter), figure: 'p99 ms', target })),
  prepare: async (bench) => {
    const stack = await bench.open();
    const headers = await givenAccount(stack, { platforms: ['meta', 'google'] });
    await fillTables(stack, rows);
    await givenHistory(stack.pool);
    await stack.startApp('api');
    const url = `${stack.apiUrl}/client/conversions`;
    return { measurements: new Map(filters.map((filter) => [nameOf(filter), pages(url, headers, filter)])) };
  },
};
