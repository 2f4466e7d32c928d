import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';
import { lease } from './lease.ts';

// `skip locked` keeps any number of relays apart: each takes rows that no other has.
const take = preparedStatement<{ feedback_id: number; platform: PlatformName }>(
  'take-due-feedback',
  `with due as (
     select f.id, connection.platform
     from feedback f join platform_connection connection on connection.id = f.connection_id
     where f.state = 'pending' and f.due_at <= now() and connection.platform = any($1::text[])
     order by f.due_at limit $2 for update of f skip locked
   )
   update feedback f set due_at = now() + $3::interval from due where f.id = due.id
   returning f.id as feedback_id, due.platform`,
);

/** Takes at most `rowsMax` pending rows of these platforms that are due, and leaves them alone for one lease. */
export const takeDueFeedback = async (
  pool: Pool,
  platforms: readonly PlatformName[],
  rowsMax: number,
): Promise<FeedbackToSend[]> => {
  const rows = await take(pool, [platforms, rowsMax, lease]);
  return rows.map(({ feedback_id, platform }) => ({ feedbackId: feedback_id, platform }));
};
