import type { Pool } from 'pg';
import { blameOf } from '../database-failure.ts';
import { group } from '../group.ts';
import { preparedStatement } from '../prepared-statement.ts';

export interface ConnectionToPark {
  readonly id: number;
  readonly accountId: number;
  /** Why the platform refuses the connection: it needs attention from now on. */
  readonly refusal?: string;
}

// In the order of their ids, as below: two workers never wait for each other's connections crosswise.
const needsAttention = preparedStatement<{ id: number }>(
  'connections-need-attention',
  `with refused as (
     select c.id, wanted.refusal from platform_connection c
     join json_to_recordset($1) as wanted (id bigint, "accountId" bigint, refusal text)
       on c.id = wanted.id and c.account_id = wanted."accountId"
     where c.state = 'active' and wanted.refusal is not null order by c.id for update of c
   )
   update platform_connection c set state = 'needs_attention', state_reason = refused.refusal
   from refused where c.id = refused.id
   returning c.id`,
);

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
   update feedback f set held_until = 'infinity', due_at = 'infinity', claims_unfinished = 0 from waiting where f.id = waiting.id
   returning f.id`,
);

/**
 * Gives a function that lets everything pending of a connection that is not active wait until an operator resumes it. With
 * a `refusal` the connection is marked first. Calls while one is under way share the next.
 */
export const feedbackParker = (pool: Pool): ((connection: ConnectionToPark) => Promise<'parked'>) =>
  group(
    async (connections: readonly ConnectionToPark[]) => {
      const wanted = new Map<number, ConnectionToPark>();
      for (const { id, accountId, refusal = wanted.get(id)?.refusal } of connections) {
        wanted.set(id, { id, accountId, ...(refusal !== undefined && { refusal }) });
      }
      const parameter = JSON.stringify([...wanted.values()]);
      if (connections.some(({ refusal }) => refusal !== undefined)) await needsAttention(pool, [parameter]);
      await park(pool, [parameter]);
      return connections.map(() => 'parked' as const);
    },
    { itemsMax: 1_000, runsMax: 1, blame: blameOf },
  );
