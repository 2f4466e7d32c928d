import type { Pool } from 'pg';
import { blameOf } from '../database-failure.ts';
import { group } from '../group.ts';
import { preparedStatement } from '../prepared-statement.ts';

export interface ConnectionKey {
  readonly id: number;
  readonly accountId: number;
}

// The share lock orders this against the operator's resume: either resume comes first and there is nothing to park, or
// it waits and then finds what was parked here. Rows that a worker is settling are left to the next claim, which parks
// them again: nobody waits for anybody's rows.
const park = preparedStatement<{ id: number }>(
  'park-feedback',
  `with inactive as (
     select c.id from platform_connection c
     join json_to_recordset($1) as wanted (id bigint, "accountId" bigint)
       on c.id = wanted.id and c.account_id = wanted."accountId"
     where c.state <> 'active' order by c.id for share of c
   ), waiting as (
     select f.id from feedback f join inactive on f.connection_id = inactive.id
     where f.state = 'pending' and f.held_until < 'infinity' order by f.id for update of f skip locked
   )
   update feedback f set held_until = 'infinity', due_at = 'infinity' from waiting where f.id = waiting.id
   returning f.id`,
);

const needsAttention = preparedStatement(
  'connection-needs-attention',
  `update platform_connection set state = 'needs_attention', state_reason = $3
   where id = $1 and account_id = $2 and state = 'active'`,
);

/**
 * Gives a function that lets everything pending of a connection that is not active wait until an operator resumes it.
 * Calls for the same connections while one is under way share the next.
 */
export const feedbackParker = (pool: Pool): ((connection: ConnectionKey) => Promise<'parked'>) =>
  group(
    async (connections: readonly ConnectionKey[]) => {
      const wanted = new Map(connections.map(({ id, accountId }) => [id, { id, accountId }]));
      await park(pool, [JSON.stringify([...wanted.values()])]);
      return connections.map(() => 'parked' as const);
    },
    { itemsMax: 1_000, runsMax: 1, blame: blameOf },
  );

/** Marks a connection whose credentials the platform refused. Its feedback is to be parked after that. */
export const markNeedsAttention = async (
  pool: Pool,
  { id, accountId }: ConnectionKey,
  reason: string,
): Promise<void> => {
  await needsAttention(pool, [id, accountId, reason]);
};
