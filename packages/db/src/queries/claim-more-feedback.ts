import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';
import { type ClaimedFeedback, type ClaimedRow, claimOfFree } from './claimed-feedback.ts';
import { claimedFeedback } from './claimed-feedback-of-row.ts';
import { claimLease } from './lease.ts';

// What has killed a worker is not taken along with others. What is free is due now, or was published within a lease; to
// look no further spares all that waits for its retry.
const claimMore = preparedStatement<ClaimedRow>(
  'claim-more-feedback',
  `with free as (
     select id from feedback
     where account_id = $2 and connection_id = $3 and state = 'pending' and held_until <= now()
       and claims_unfinished = 0 and due_at <= now() + $1::interval
     order by due_at limit $4 for update skip locked
   ), ${claimOfFree}
   select * from facts`,
);

/** Claims at most `rowsMax` of the rows of one connection that nobody holds, whoever was told of them. */
export const claimMoreFeedback = async (
  pool: Pool,
  connection: { readonly accountId: number; readonly id: number },
  rowsMax: number,
): Promise<ClaimedFeedback[]> => {
  const rows = await claimMore(pool, [claimLease, connection.accountId, connection.id, rowsMax]);
  return rows.map(claimedFeedback);
};
