// What the apps of the version before parcels run, word for word, without what they read for sending.

/** Registers: conversions of $1 with a delivery each to connection $2, which the API publishes within a minute. */
export const register = `
  with client as (select id, account_id from client where id = $1),
  created as (
    insert into conversion (account_id, client_id, amount, currency)
    select account_id, id, 10, 'USD' from client returning id, account_id
  )
  insert into feedback (account_id, conversion_id, connection_id, due_at)
  select created.account_id, created.id, connection.id, now() + interval '60 seconds'
  from created join platform_connection connection using (account_id)
  where connection.id = $2
  returning id`;

/** Claims the deliveries $1. */
export const claim = `
  with reachable as (
    select id, claims_unfinished from feedback
    where id = any($1::bigint[]) and state = 'pending' and held_until <= now()
    order by id for update skip locked
  ), free as (
    select id from reachable where claims_unfinished < 3
  )
  update feedback f set
    claims_unfinished = case when connection.state = 'active' then f.claims_unfinished + 1 else 0 end,
    held_until = now() + interval '120 seconds', due_at = now() + interval '120 seconds'
  from free, platform_connection connection where f.id = free.id and connection.id = f.connection_id
  returning f.id`;

/** Settles what $1 says, as JSON. */
export const settle = `
  with settlement as (
    select * from json_to_recordset($1) as (
      "feedbackId" bigint, state text, reason text, "retryInMs" float8, "isFree" boolean, attempt json)
  ), verdict as (
    select s.*, f.id, coalesce(now() + s."retryInMs" * interval '1 ms', 'infinity') as retry_at,
           s.attempt->>'outcome' in ('unavailable', 'throttled') and now() + s."retryInMs" * interval '1 ms'
             > coalesce(f.retried_since, f.created_at) + interval '3 days' as too_late
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
  returning f.id as feedback_id, f.state`;

/** Retries the deliveries $1 for an operator. */
export const requeue = `
  with closed as (
    select f.id, f.account_id, f.state, f.reason
    from feedback f join platform_connection c on c.id = f.connection_id and c.account_id = f.account_id
    where f.id = any($1::bigint[]) and (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and c.state = 'active'
    order by f.id for update of f
  )
  update feedback f set state = 'pending', due_at = now(), held_until = now(), retried_since = now(),
         closed_at = null, reason = null, claims_unfinished = 0
  from closed where f.id = closed.id
  returning f.id`;

/** Parks the deliveries of the connection $1, which is inactive. */
export const park = `
  with waiting as (
    select id from feedback
    where connection_id = $1 and state = 'pending' and due_at < 'infinity' and (held_until <= now() or claims_unfinished = 0)
    order by due_at limit 1000 for update skip locked
  )
  update feedback f set held_until = 'infinity', due_at = 'infinity', claims_unfinished = 0 from waiting where f.id = waiting.id
  returning f.id`;

/** Makes the parked deliveries of the connection $1 due. */
export const resume = `
  with parked as (
    select id from feedback where connection_id = $1 and state = 'pending' and due_at = 'infinity' order by id for update
  )
  update feedback f set held_until = now(), due_at = now(), retried_since = now() from parked where f.id = parked.id`;

/** Takes what is due for the relay. */
export const takeDue = `
  with due as (
    select id from feedback where state = 'pending' and due_at <= now() order by due_at limit 1000 for update skip locked
  )
  update feedback f set due_at = now() + interval '60 seconds' from due where f.id = due.id returning f.id`;
