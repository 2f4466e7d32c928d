import { type Pool, failureScopeOf, preparedStatement } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import { isParkable } from './claimed-feedback.ts';

export interface ConnectionToPark {
  readonly id: number;
  readonly accountId: number;
  /**
   * Why the platform rejected the connection, and with what settings and credentials. If these have changed since, the
   * connection stays active.
   */
  readonly refused?: { readonly reason: string; readonly settings: unknown; readonly encryptedCredentials: Buffer };
}

// In the order of their ids, as below, so that two workers cannot deadlock.
const needsAttention = preparedStatement<{ id: number }>(
  'connections-need-attention',
  `with refused as (
     select c.id, wanted.reason from platform_connection c
     join json_to_recordset($1) as wanted (id bigint, "accountId" bigint, reason text, settings jsonb, credentials text)
       on c.id = wanted.id and c.account_id = wanted."accountId"
     where c.state = 'active' and c.settings = wanted.settings and c.credentials = decode(wanted.credentials, 'hex')
     order by c.id for update of c
   )
   update platform_connection c set state = 'needs_attention', state_reason = refused.reason
   from refused where c.id = refused.id
   returning c.id`,
);

// The share lock orders this against an operator's resume: either the resume comes first and there is nothing to park,
// or it waits and then finds what was parked here. Rows that a worker is settling are left to the next claim, which
// parks them again, so no statement waits for rows. Parks a limited number per statement, because a backlog may take
// longer than the statement timeout.
const park = preparedStatement<{ id: number }>(
  'park-feedback',
  `with inactive as (
     select c.id from platform_connection c
     join json_to_recordset($1) as wanted (id bigint, "accountId" bigint)
       on c.id = wanted.id and c.account_id = wanted."accountId"
     where c.state <> 'active' order by c.id for share of c
   ), waiting as (
     select id from feedback
     where connection_id in (select id from inactive) and ${isParkable} order by due_at limit $2 for update skip locked
   )
   update feedback f set held_until = 'infinity', due_at = 'infinity', claims_unfinished = 0 from waiting where f.id = waiting.id
   returning f.id`,
);

const rowsMax = 1_000;

/**
 * Returns a function that parks all pending feedback of an inactive connection until an operator resumes it. A rejected
 * connection is first set to needs_attention. Calls during a run share the next run.
 */
export const feedbackParker = (pool: Pool): ((connection: ConnectionToPark) => Promise<'parked'>) =>
  batch(
    async (connections: readonly ConnectionToPark[]) => {
      const refusals = connections.flatMap(({ id, accountId, refused }) => {
        if (refused === undefined) return [];
        const { reason, settings, encryptedCredentials } = refused;
        return [{ id, accountId, reason, settings, credentials: encryptedCredentials.toString('hex') }];
      });
      if (refusals.length > 0) await needsAttention(pool, [JSON.stringify(refusals)]);
      const wanted = new Map(connections.map(({ id, accountId }) => [id, { id, accountId }]));
      const parameter = JSON.stringify([...wanted.values()]);
      let parked = rowsMax;
      while (parked === rowsMax) parked = (await park(pool, [parameter, rowsMax])).length;
      return connections.map(() => 'parked' as const);
    },
    { itemsMax: 1_000, runsMax: 1, failureScope: failureScopeOf },
  );
