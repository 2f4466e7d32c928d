import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { z } from 'zod';
import { say } from './say.ts';

const pollMs = 100;
const quietMs = 300;
const tellMs = 5_000;
const stuckMs = 300_000;

const flag = z.tuple([z.object({ found: z.boolean() })]);
const count = z.tuple([z.object({ n: z.coerce.number() })]);
const moment = z.tuple([z.object({ at_ms: z.coerce.number() })]);
const states = z.array(z.object({ state: z.string(), n: z.coerce.number() }));

/** Whether open deliveries are queued in parcels (table feedback_due), not row by row in feedback. */
export const hasParcels = async (pool: Pool): Promise<boolean> => {
  const { rows } = await pool.query(`select to_regclass('feedback_due') is not null as found`);
  return flag.parse(rows)[0].found;
};

/** Two statements about the open deliveries that no table's size slows down much. */
const statements = (inParcels: boolean) =>
  inParcels
    ? {
        any: 'select exists (select from feedback_due) as found',
        number: 'select coalesce(sum(cardinality(feedback_ids)), 0) as n from feedback_due',
      }
    : {
        any: `select exists (select from feedback where state = 'pending') as found`,
        number: `select count(*) as n from feedback where state = 'pending'`,
      };

export const countOpen = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query(statements(await hasParcels(pool)).number);
  return count.parse(rows)[0].n;
};

/**
 * Waits until no delivery is open. Throws if their number has not changed for five minutes, or if one ended otherwise than
 * delivered: what was not sent must not count as cheap.
 */
export const untilDelivered = async (pool: Pool): Promise<void> => {
  const { any } = statements(await hasParcels(pool));
  let [open, changedAt, toldAt] = [Number.NaN, performance.now(), performance.now()];
  for (;;) {
    const { rows } = await pool.query(any);
    if (!flag.parse(rows)[0].found) break;
    await pause(pollMs);
    const now = performance.now();
    if (now - toldAt < tellMs) continue;
    toldAt = now;
    const left = await countOpen(pool);
    say(`  ${left} deliveries open`);
    if (left !== open) changedAt = now;
    if (now - changedAt > stuckMs) throw new Error(`${left} deliveries have been open for five minutes`);
    open = left;
  }
  const { rows } = await pool.query('select state, count(*) as n from feedback group by 1');
  const others = states.parse(rows).filter(({ state }) => state !== 'delivered');
  if (others.length > 0) throw new Error(`not all were delivered: ${JSON.stringify(others)}`);
};

/** When all deliveries of 99 % of the conversions registered since then were closed; both in milliseconds since 1970. */
export const mostClosedAt = async (pool: Pool, sinceMs: number): Promise<number> => {
  const { rows } = await pool.query(
    `select extract(epoch from percentile_disc(0.99) within group (order by closed_at)) * 1000 as at_ms
     from (select max(closed_at) as closed_at from feedback where created_at >= to_timestamp($1::float8 / 1000)
           group by conversion_id) conversions`,
    [sinceMs],
  );
  return moment.parse(rows)[0].at_ms;
};

/** Waits until what workers have claimed is closed, after their connections were paused. */
export const untilNoneCloses = async (pool: Pool): Promise<void> => {
  let [open, before] = [await countOpen(pool), Number.NaN];
  while (open !== before) {
    await pause(quietMs);
    [open, before] = [await countOpen(pool), open];
  }
};

const counts = z.tuple([z.object({ in_all: z.coerce.number(), measured: z.coerce.number() })]);

interface Measured {
  /** The worker's, in milliseconds since 1970. */
  readonly startMs: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/**
 * Waits until a first batch of deliveries is closed and the worker is warm; counts the deliveries closed within some seconds
 * from then, and all closed since the start. Throws if none is open any more: the worker must have had work all the time.
 */
export const closedWithin = async (pool: Pool, { startMs, warmUpSeconds, seconds }: Measured) => {
  const open = await countOpen(pool);
  while ((await countOpen(pool)) === open) await pause(pollMs);
  await pause((warmUpSeconds + seconds) * 1_000 + pollMs);
  if ((await countOpen(pool)) === 0) throw new Error('the worker has delivered everything: there were too few rows');
  const { rows } = await pool.query(
    `with closed as materialized (
       select closed_at, min(closed_at) over () + $2 * interval '1 second' as warm_at
       from feedback where closed_at >= to_timestamp($1::float8 / 1000)
     )
     select count(*) as in_all,
            count(*) filter (where closed_at > warm_at and closed_at <= warm_at + $3 * interval '1 second') as measured
     from closed`,
    [startMs, warmUpSeconds, seconds],
  );
  const [{ in_all: inAll, measured }] = counts.parse(rows);
  return { inAll, measured };
};
