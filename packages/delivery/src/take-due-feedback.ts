import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { lease } from './lease.ts';

interface Row {
  feedback_id: number;
  connection_id: number;
  platform: PlatformName;
  trace_parent: string | null;
}

// `skip locked` gives each relay rows of its own. Only a few rows per connection, so that one backlog does not delay
// the others; the worker of a connection claims further rows by itself.
const take = preparedStatement<Row>(
  'take-due-feedback',
  `with oldest as materialized (
     select f.id, connection.platform
     from platform_connection connection cross join lateral (
       select id, due_at from feedback
       where connection_id = connection.id and state = 'pending' and due_at <= now()
       order by due_at limit $4
     ) f
     where connection.platform = any($1::text[])
     order by f.due_at limit $2
   ), due as (
     select f.id, oldest.platform from feedback f join oldest on oldest.id = f.id
     where f.state = 'pending' and f.due_at <= now() for update of f skip locked
   ), taken as (
     update feedback f set due_at = now() + $3::interval from due where f.id = due.id
     returning f.id, f.account_id, f.connection_id, f.conversion_id, due.platform
   )
   select taken.id as feedback_id, taken.connection_id, taken.platform, l.trace_parent
   from taken
   join conversion v on v.id = taken.conversion_id and v.account_id = taken.account_id
   join client c on c.id = v.client_id and c.account_id = taken.account_id
   join lead l on l.id = c.lead_id and l.account_id = taken.account_id`,
);

const rowsOfConnectionMax = 100;

/** Takes at most `rowsMax` due rows of these platforms, for one lease. */
export const takeDueFeedback = async (
  pool: Pool,
  platforms: readonly PlatformName[],
  rowsMax: number,
): Promise<FeedbackToSend[]> => {
  const rows = await take(pool, [platforms, rowsMax, lease, rowsOfConnectionMax]);
  return rows.map((row) => ({
    feedbackId: row.feedback_id,
    connectionId: row.connection_id,
    platform: row.platform,
    traceParent: row.trace_parent ?? undefined,
  }));
};
