import { type Pool, failureScopeOf, preparedStatement } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import { type ClaimedFeedback, type ClaimedRow, claimOfFree } from './claimed-feedback.ts';
import { claimedFeedback } from './claimed-feedback-of-row.ts';
import { claimLease } from './lease.ts';

/** The result of a claim by id. */
export type FeedbackClaim =
  | { readonly kind: 'claimed'; readonly feedback: ClaimedFeedback }
  /** Three workers in a row have crashed during its delivery: to be claimed with `evenSuspect`, one at a time. */
  | { readonly kind: 'suspect' }
  /** Five workers have crashed during its delivery: it is now failed. */
  | { readonly kind: 'crashed' }
  /** It is closed, not due yet, or claimed by another worker. */
  | { readonly kind: 'busy' }
  /** There is no such row. */
  | { readonly kind: 'deleted' };

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
               when reachable.id is not null then 'suspect' when f.id is not null then 'busy' else 'deleted' end as claim,
          facts.*
   from unnest($2::bigint[]) with ordinality as wanted (id, place)
   left join facts on facts.feedback_id = wanted.id
   left join crashed on crashed.id = wanted.id
   left join reachable on reachable.id = wanted.id
   left join feedback f on f.id = wanted.id
   order by wanted.place`,
);

/**
 * Returns a function that claims one feedback row by id. A row that has crashed three workers is not claimed without
 * `evenSuspect`; with it, until five workers have crashed.
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
        // a second copy of a message in the same batch finds nothing, as it would later
        if (feedbackIds.indexOf(row.feedback_id) < index && row.claim === 'claimed') return { kind: 'busy' };
        return row.claim === 'claimed' ? { kind: 'claimed', feedback: claimedFeedback(row) } : { kind: row.claim };
      });
    },
    { itemsMax: 200, runsMax: 2, failureScope: failureScopeOf },
  );
