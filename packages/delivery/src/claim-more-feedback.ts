import { type Pool, preparedStatement } from '@leadback/db';
import { type ClaimedFeedback, type ClaimedRow, claimOfFree } from './claimed-feedback.ts';
import { claimedFeedback } from './claimed-feedback-of-row.ts';
import { claimLease } from './lease.ts';

// Rows that have crashed a worker are not claimed together with others. Free rows are due now or were published within
// a lease; a further limit on due_at skips all rows that wait for their retry.
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

/** Claims at most `rowsMax` free rows of one connection, published or not. */
export const claimMoreFeedback = async (
  pool: Pool,
  connection: { readonly accountId: number; readonly id: number },
  rowsMax: number,
): Promise<ClaimedFeedback[]> => {
  const rows = await claimMore(pool, [claimLease, connection.accountId, connection.id, rowsMax]);
  return rows.map(claimedFeedback);
};
