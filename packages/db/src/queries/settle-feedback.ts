import type { AttemptOutcome, FeedbackState } from '@leadback/domain';
import type { Pool } from 'pg';
import { blameOf } from '../database-failure.ts';
import { group } from '../group.ts';
import { preparedStatement } from '../prepared-statement.ts';

export interface FeedbackAttemptRecord {
  readonly outcome: Exclude<AttemptOutcome, 'requeued'>;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  readonly answer: string | null;
  readonly durationMs: number;
}

/** What became of a claimed row. `retryInMs` belongs to `pending`. */
export interface FeedbackSettlement {
  readonly feedbackId: number;
  readonly state: FeedbackState;
  readonly reason: string | null;
  readonly retryInMs: number | null;
  /** null: nothing was sent. */
  readonly attempt: FeedbackAttemptRecord | null;
}

// A row that another worker has closed meanwhile stays closed, but an event that a platform has taken is delivered,
// whoever noticed last. What would be retried after the last day for retries has failed.
const settle = preparedStatement<{ feedback_id: number; state: FeedbackState }>(
  'settle-feedback',
  `with settlement as (
     select * from json_to_recordset($1) as (
       "feedbackId" bigint, state text, reason text, "retryInMs" float8, attempt json)
   ), attempt as (
     insert into feedback_attempt (account_id, feedback_id, outcome, reason, http_status, answer, duration_ms)
     select f.account_id, f.id, s.attempt->>'outcome', s.attempt->>'reason', (s.attempt->>'httpStatus')::int,
            s.attempt->>'answer', (s.attempt->>'durationMs')::int
     from settlement s join feedback f on f.id = s."feedbackId" where json_typeof(s.attempt) = 'object'
   ), verdict as (
     select s.*, f.id, coalesce(now() + s."retryInMs" * interval '1 ms', 'infinity') as retry_at,
            s.state = 'pending' and now() + s."retryInMs" * interval '1 ms' > f.created_at + $2::interval as too_late
     from settlement s join feedback f on f.id = s."feedbackId"
     where f.state = 'pending' or s.state = 'delivered'
     order by f.id for update of f
   )
   update feedback f set
     attempts = f.attempts + case when json_typeof(v.attempt) = 'object' then 1 else 0 end,
     state = case when v.too_late then 'failed' else v.state end,
     reason = case when v.too_late then 'retries_exhausted: ' || coalesce(v.reason, '') else v.reason end,
     held_until = case when v.state = 'pending' then v.retry_at else f.held_until end,
     due_at = case when v.state = 'pending' then v.retry_at else f.due_at end,
     closed_at = case when v.state <> 'pending' or v.too_late then now() end
   from verdict v where f.id = v.id
   returning f.id as feedback_id, f.state`,
);

const retriedFor = '3 days';

/** Gives a function that writes one outcome down and resolves with the state that the row is in now. */
export const feedbackSettler = (pool: Pool): ((settlement: FeedbackSettlement) => Promise<FeedbackState | 'closed'>) =>
  group(
    async (settlements: readonly FeedbackSettlement[]) => {
      const rows = await settle(pool, [JSON.stringify(settlements), retriedFor]);
      const states = new Map(rows.map((row) => [row.feedback_id, row.state]));
      return settlements.map(({ feedbackId }) => states.get(feedbackId) ?? 'closed');
    },
    { itemsMax: 200, runsMax: 2, blame: blameOf },
  );
