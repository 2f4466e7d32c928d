import { z } from 'zod';
import type { EntityManager } from '../database.ts';

const idsSchema = z.array(z.object({ id: z.coerce.number() }));

// Whoever comes second waits for the rows' locks and then finds them pending. The attempt is the record of who wanted
// what when: an operator, now, and what had become of the row until then.
const requeue = (which: string) => `
  with closed as (
    select f.id, f.account_id, f.state, f.reason
    from feedback f join platform_connection c on c.id = f.connection_id and c.account_id = f.account_id
    where ${which} and (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and c.state = 'active'
    order by f.id for update of f
  ), attempt as (
    insert into feedback_attempt (account_id, feedback_id, outcome, reason, duration_ms)
    select account_id, id, 'requeued', concat_ws(': ', 'was ' || state, reason), 0 from closed
  )
  update feedback f set state = 'pending', due_at = now(), held_until = now(), retried_since = now(),
         closed_at = null, reason = null, claims_unfinished = 0
  from closed where f.id = closed.id
  returning f.id`;

/**
 * Makes failed and skipped rows, and those that the platform had something to say of later, pending again and due now; retries are counted from now on. Gives the ids of those that
 * it was: rows in another state, of a connection that is not active, or that do not exist are left as they are.
 */
export const requeueFeedback = async (em: EntityManager, ids: readonly number[]): Promise<number[]> => {
  const rows = await em.execute(requeue('f.id = any(?::bigint[])'), [`{${ids.join(',')}}`]);
  return idsSchema.parse(rows).map(({ id }) => id);
};

const idsPerStatement = 5_000;
const rangeSchema = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

/**
 * The same for everything failed and skipped of a connection, or for what has a reason that begins so. Gives how much
 * that was. One range of ids at a time, so that locks are short however much there is.
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
