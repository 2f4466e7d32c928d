import type { AttemptOutcome, FeedbackState } from '@leadback/domain';
import { type Pool, failureScopeOf, preparedStatement } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import { retriedFor } from './retried-for.ts';

export interface FeedbackAttemptRecord {
  readonly outcome: Exclude<AttemptOutcome, 'requeued'>;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  readonly answer: string | null;
  readonly durationMs: number;
  /** The platform's id of the request, and when to check its status first; only if the platform reports one. */
  readonly request?: { readonly name: string; readonly lookInMs: number };
}

/** The outcome of a claimed row. `retryInMs` and `isFree` belong to `pending`. */
export interface FeedbackSettlement {
  readonly feedbackId: number;
  readonly state: FeedbackState;
  readonly reason: string | null;
  readonly retryInMs: number | null;
  /** Any worker may claim it before its retry is due. */
  readonly isFree?: boolean;
  /** Null: nothing was sent. */
  readonly attempt: FeedbackAttemptRecord | null;
}

// A row that another worker has closed meanwhile stays closed, but an event that a platform accepted is delivered, in
// whatever order the outcomes are saved. A row whose retry would be after the last day for retries has failed; rows
// that wait for a slot or for the operator have not. A throttled attempt is not counted.
const settle = preparedStatement<{ feedback_id: number; state: FeedbackState }>(
  'settle-feedback',
  `with settlement as (
     select * from json_to_recordset($1) as (
       "feedbackId" bigint, state text, reason text, "retryInMs" float8, "isFree" boolean, attempt json)
   ), attempted as (
     select f.account_id, f.connection_id, s.* from settlement s join feedback f on f.id = s."feedbackId"
     where json_typeof(s.attempt) = 'object'
   ), attempt as (
     insert into feedback_attempt
       (account_id, feedback_id, outcome, reason, http_status, answer, duration_ms, platform_request)
     select account_id, "feedbackId", attempt->>'outcome', attempt->>'reason', (attempt->>'httpStatus')::int,
            attempt->>'answer', (attempt->>'durationMs')::int, attempt->'request'->>'name'
     from attempted
   ), request as (
     insert into platform_request (account_id, connection_id, name, look_at)
     select distinct on (connection_id, attempt->'request'->>'name') account_id, connection_id,
            attempt->'request'->>'name', now() + (attempt->'request'->>'lookInMs')::float8 * interval '1 ms'
     from attempted where json_typeof(attempt->'request') = 'object'
     order by connection_id, attempt->'request'->>'name'
     on conflict do nothing
   ), verdict as (
     select s.*, f.id, coalesce(now() + s."retryInMs" * interval '1 ms', 'infinity') as retry_at,
            s.attempt->>'outcome' in ('unavailable', 'throttled') and now() + s."retryInMs" * interval '1 ms'
              > coalesce(f.retried_since, f.created_at) + $2::interval as too_late
     from settlement s join feedback f on f.id = s."feedbackId"
     where f.state = 'pending' or s.state = 'delivered'
     order by f.id for update of f
   )
   update feedback f set
     attempts = f.attempts + case when v.attempt->>'outcome' <> 'throttled' then 1 else 0 end,
     claims_unfinished = 0,
     state = case when v.too_late then 'failed' else v.state end,
     reason = case when v.too_late then 'retries_exhausted: ' || coalesce(v.reason, '') else v.reason end,
     held_until = case when v.state <> 'pending' then f.held_until when v."isFree" then now() else v.retry_at end,
     due_at = case when v.state = 'pending' then v.retry_at else f.due_at end,
     closed_at = case when v.state <> 'pending' or v.too_late then now() end
   from verdict v where f.id = v.id
   returning f.id as feedback_id, f.state`,
);

/**
 * Returns a function that saves one outcome and resolves with the new state of the row; `closed`: it was closed before.
 */
export const feedbackSettler = (pool: Pool): ((settlement: FeedbackSettlement) => Promise<FeedbackState | 'closed'>) =>
  batch(
    async (settlements: readonly FeedbackSettlement[]) => {
      const rows = await settle(pool, [JSON.stringify(settlements), retriedFor]);
      const states = new Map(rows.map((row) => [row.feedback_id, row.state]));
      return settlements.map(({ feedbackId }) => states.get(feedbackId) ?? 'closed');
    },
    { itemsMax: 200, runsMax: 2, failureScope: failureScopeOf },
  );
