import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';

// The share lock orders this against the operator's resume: either resume comes first and there is nothing to park, or
// it waits and then finds what was parked here.
const park = preparedStatement(
  'park-feedback',
  `with inactive as (
     select id from platform_connection where id = $1 and account_id = $2 and state <> 'active' for share
   )
   update feedback f set held_until = 'infinity', due_at = 'infinity'
   from inactive where f.connection_id = inactive.id and f.state = 'pending' and f.held_until < 'infinity'`,
);

const needsAttention = preparedStatement(
  'connection-needs-attention',
  `update platform_connection set state = 'needs_attention', state_reason = $3
   where id = $1 and account_id = $2 and state = 'active'`,
);

interface ConnectionKey {
  readonly id: number;
  readonly accountId: number;
}

/** Lets everything pending of a connection that is not active wait until an operator resumes it. */
export const parkFeedback = async (pool: Pool, { id, accountId }: ConnectionKey): Promise<void> => {
  await park(pool, [id, accountId]);
};

/** Marks a connection whose credentials the platform refused, and lets its feedback wait. */
export const markNeedsAttention = async (
  pool: Pool,
  { id, accountId }: ConnectionKey,
  reason: string,
): Promise<void> => {
  await needsAttention(pool, [id, accountId, reason]);
  await park(pool, [id, accountId]);
};
