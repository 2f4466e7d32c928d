import type { Pool } from 'pg';
import { failureScopeOf } from '../database-failure.ts';
import { batch } from '../batch.ts';
import { preparedStatement } from '../prepared-statement.ts';
import { type ClaimedFeedback, type ClaimedRow, claimOfFree } from './claimed-feedback.ts';
import { claimedFeedback } from './claimed-feedback-of-row.ts';
import { claimLease } from './lease.ts';

/** What came of a claim by id. */
export type FeedbackClaim =
  | { readonly kind: 'claimed'; readonly feedback: ClaimedFeedback }
  /** The workers that had it have died, three times in a row: to be claimed with `evenSuspect`, one at a time. */
  | { readonly kind: 'suspect' }
  /** They have died five times: it has failed now. */
  | { readonly kind: 'crashed' }
  /** It is closed, not due yet, or at another worker. */
  | { readonly kind: 'busy' }
  /** There is no such row. */
  | { readonly kind: 'gone' };

type Row = ClaimedRow & { claim: FeedbackClaim['kind'] };

const claimsBeforeSuspect = 3;
const claimsBeforeCrashed = 5;

const claim = preparedStatement<Row>(
  'claim-feedback',
  `with reachable as (
     select id, claims_unfinished from feedback
     where id = any($2::bigint[]) and state = 'pending' and held_until <= now()
     order by id for update skip locked
   ), crashed as (
     update feedback f set state = 'failed', reason = 'crashed', closed_at = now()
     from reachable where f.id = reachable.id and reachable.claims_unfinished >= $4
     returning f.id
   ), free as (
     select id from reachable where claims_unfinished < $3
   ), ${claimOfFree}
   select case when facts.feedback_id is not null then 'claimed' when crashed.id is not null then 'crashed'
               when reachable.id is not null then 'suspect' when f.id is not null then 'busy' else 'gone' end as claim,
          facts.*
   from unnest($2::bigint[]) with ordinality as wanted (id, place)
   left join facts on facts.feedback_id = wanted.id
   left join crashed on crashed.id = wanted.id
   left join reachable on reachable.id = wanted.id
   left join feedback f on f.id = wanted.id
   order by wanted.place`,
);

/**
 * Gives a function that claims one feedback row by its id. A row that has killed its workers is left alone, unless
 * `evenSuspect`: then it is claimed until it has done so five times.
 */
export const feedbackClaimer = (
  pool: Pool,
  { evenSuspect = false } = {},
): ((feedbackId: number) => Promise<FeedbackClaim>) =>
  batch(
    async (feedbackIds: readonly number[]) => {
      const claimsMax = evenSuspect ? claimsBeforeCrashed : claimsBeforeSuspect;
      const rows = await claim(pool, [claimLease, feedbackIds, claimsMax, claimsBeforeCrashed]);
      return rows.map((row, index): FeedbackClaim => {
        // a second copy of a message in the same group finds nothing, like one that comes later
        if (feedbackIds.indexOf(row.feedback_id) < index && row.claim === 'claimed') return { kind: 'busy' };
        return row.claim === 'claimed' ? { kind: 'claimed', feedback: claimedFeedback(row) } : { kind: row.claim };
      });
    },
    { itemsMax: 200, runsMax: 2, failureScope: failureScopeOf },
  );
