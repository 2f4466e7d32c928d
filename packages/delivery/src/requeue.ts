import type { EntityManager } from '@leadback/db';
import { z } from 'zod';
import { packed } from './pack.ts';

const idsSchema = z.array(z.object({ id: z.coerce.number() }));

// A second statement waits for the rows' locks and then finds them pending. The attempt records the time of the
// operator's request and the state of the row before it.
const requeue = (which: string) => `
  with closed as materialized (
    select f.id, f.account_id, f.connection_id, f.state, f.reason, f.conversion_id
    from feedback f join platform_connection c on c.id = f.connection_id and c.account_id = f.account_id
    where ${which} and (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and c.state = 'active'
    order by f.id for update of f
  ), open as (
    select closed.id, closed.account_id, closed.connection_id, v.is_test, now() as not_before, 1 as claim,
           0 as claims_lost, now() as retry_from, coalesce(v.occurred_at, v.created_at) as oldest_at
    from closed
    cross join lateral (
      select * from conversion where id = closed.conversion_id and account_id = closed.account_id limit 1) v
  ), ${packed}, attempt as (
    insert into feedback_attempt (account_id, feedback_id, outcome, reason, duration_ms)
    select account_id, id, 'requeued', concat_ws(': ', 'was ' || state, reason), 0 from closed
  )
  update feedback f set state = 'pending', parcel_id = placed.parcel_id, retried_since = now(), closed_at = null,
         reason = null
  from placed where f.id = any(array(select id from placed)) and f.id = placed.id
  returning f.id`;

/**
 * Transition 11. Makes deliveries pending and due now if they failed, were skipped, or have a note; retries are counted
 * from now on. Returns their ids. Those in another state, of an inactive connection, or that do not exist are left
 * unchanged.
 */
export const requeueFeedback = async (em: EntityManager, ids: readonly number[]): Promise<number[]> => {
  const rows = await em.execute(requeue('f.id = any(?::bigint[])'), [`{${ids.join(',')}}`]);
  return idsSchema.parse(rows).map(({ id }) => id);
};

const idsPerStatement = 5_000;
const rangeSchema = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

/**
 * Requeues everything failed and skipped of a connection, or only deliveries whose reason begins with the given text.
 * Returns how many. Works on one range of ids at a time, so that locks are short.
 */
export const requeueFeedbackOfConnection = async (
  em: EntityManager,
  {
    id,
    accountId,
    reason = '',
  }: { readonly id: number; readonly accountId: number; readonly reason?: string | undefined },
): Promise<number> => {
  const [{ first, last }] = rangeSchema.parse(
    await em.execute(`select coalesce(min(id), 0) as first, coalesce(max(id), -1) as last from feedback`),
  );
  const statement = requeue(`f.id between ? and ? and f.account_id = ? and f.connection_id = ?
    and starts_with(coalesce(f.reason, ''), ?)`);
  let requeued = 0;
  for (let from = first; from <= last; from += idsPerStatement) {
    const rows = await em.execute(statement, [from, from + idsPerStatement - 1, accountId, id, reason]);
    requeued += rows.length;
  }
  return requeued;
};
