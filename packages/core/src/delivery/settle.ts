import {
  type AttemptOutcome,
  eventTooOld,
  type DeliveryState,
  type HeldReason,
  type Outcome,
  type SkipReason,
  webhookName,
  webhookPauses,
  type MatchKeySet,
} from '@leadback/domain';
import { preparedStatement, failureScopeOf, type Pool } from '@leadback/db';
import { batch } from '@leadback/db/batch';
import type { ClaimedAdjustmentDelivery, FormerSettings, ClaimedParcel } from './claim.ts';
import { packed } from './enqueue.ts';
import {
  changedConnectionColumns,
  changedConnections,
  closedDeliveries,
  sentToWebhooks,
} from './webhook-deliveries.ts';

const shortestMs = 10_000;
const longestMs = 6 * 60 * 60 * 1000;

/**
 * Exponential back-off with full jitter, 10 s to 6 h; at least `askedMs`, which the platform requested, within the same
 * bounds. `attempts` includes the one that just failed.
 */
export const retryPauseMs = (attempts: number, askedMs = 0, random: () => number = Math.random): number => {
  const ceilingMs = Math.min(longestMs, shortestMs * 2 ** attempts);
  const drawnMs = shortestMs + random() * (ceilingMs - shortestMs);
  return Math.round(Math.min(longestMs, Math.max(drawnMs, askedMs)));
};

/** The state of a delivery after its claim. `retryInMs` and `isCounted` belong to `pending`. */
export interface NextState {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly retryInMs: number | null;
  /** Whether it is one of `attempts`. */
  readonly isCounted: boolean;
}

/** An attempt, as it is kept with its delivery. */
interface AttemptRecord {
  readonly outcome: Exclude<AttemptOutcome, 'requeued'>;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  /** At most 2 KB, without secrets and personal data. */
  readonly answer: string | null;
  readonly durationMs: number;
  /** The platform's id of the request, and when to check its status first; only if the platform reports one. */
  readonly request?: { readonly name: string; readonly checkInMs: number };
}

// a delivery that was not sent may be taken by another worker soon, even if this one waits longer
const freeAfterMaxMs = 30_000;

const closed = (state: 'delivered' | 'failed' | 'skipped', reason: string | null): NextState => ({
  state,
  reason,
  retryInMs: null,
  isCounted: true,
});

const waiting = (reason: string, retryInMs: number, isCounted = true): NextState => ({
  state: 'pending',
  reason,
  retryInMs,
  isCounted,
});

/** Nothing was sent, because there is nothing to send. */
export const skipped = (reason: SkipReason): NextState => ({ ...closed('skipped', reason), isCounted: false });

/** Nothing was sent: it waits, without an attempt. */
export const postponed = (reason: string, retryInMs: number): NextState => waiting(reason, retryInMs, false);

/** How often a delivery was tried before. Each count has a back-off of its own: throttling says nothing of the event. */
export interface Tries {
  /** Without those that were throttled. */
  readonly attempts: number;
  readonly throttled: number;
}

/** Transitions 4 to 7. */
export const nextState = (outcome: Outcome, { attempts, throttled }: Tries): NextState => {
  switch (outcome.kind) {
    case 'delivered':
      return closed('delivered', null);
    case 'rejected':
      return closed(outcome.reason === eventTooOld ? 'skipped' : 'failed', outcome.reason);
    case 'unavailable':
      return waiting(outcome.reason, retryPauseMs(attempts + 1, outcome.retryAfterMs));
    case 'throttled':
      return waiting(outcome.reason, retryPauseMs(throttled + 1, outcome.retryAfterMs), false);
    case 'refused':
      // due at once, in case the connection is fixed before its state is saved
      return waiting(outcome.reason, 0);
    case 'postponed':
      return postponed(outcome.reason, Math.min(outcome.retryAfterMs, freeAfterMaxMs));
  }
};

const heldShortestMs = 5_000;
const heldLongestMs = 10 * 60_000;

/** The reason of an adjustment whose conversion the platform does not have. */
export const originalNotDelivered = 'original_not_delivered';
const originalUncertain = 'original_uncertain';
const originalSentElsewhere = 'original_sent_elsewhere';

/** The reasons of adjustments that were skipped because of their conversion: they follow it if that is retried. */
export const skippedForOriginal = [originalNotDelivered, originalUncertain, originalSentElsewhere] as const;

/** What an adjustment is at the platform of its connection. */
export interface AdjustingRules {
  /** Whether the last one counts. If not, each adds to those before, in any order. */
  readonly overwrite: boolean;
  /** Whether the platform reports later if it used an event. */
  readonly areConfirmed: boolean;
  /** Whether the conversion is not where the adjustment would go, if it was sent with these settings. */
  readonly wentElsewhere: (former: FormerSettings) => boolean;
}

/**
 * The next state of a delivery that must not be sent, because of what was told to its connection before or is told
 * after; undefined if it may be sent. The pauses grow with the time that it has waited.
 */
export const heldBack = (
  { others, createdAtMs }: Pick<ClaimedAdjustmentDelivery, 'others' | 'createdAtMs'>,
  atMs: number,
  { overwrite, areConfirmed, wentElsewhere }: AdjustingRules,
): NextState | undefined => {
  const { original, isOriginalConfirmed, formerSettings } = others;
  const pauseMs = Math.min(heldLongestMs, Math.max(heldShortestMs, (atMs - createdAtMs) / 4));
  const held = (reason: HeldReason) => postponed(reason, pauseMs);
  if (overwrite && others.isSuperseded) return skipped('superseded');
  if (original === 'pending') return held('original_pending');
  if (original === null) return skipped(originalUncertain);
  if (original !== 'delivered') return skipped(originalNotDelivered);
  if (others.isOriginalUnconfirmed) return held('original_unconfirmed');
  if (areConfirmed && isOriginalConfirmed !== true) return skipped(originalUncertain);
  if (formerSettings !== null && wentElsewhere(formerSettings)) return skipped(originalSentElsewhere);
  return overwrite && others.isAdjustmentOpen ? held('earlier_adjustment_pending') : undefined;
};

/** How long failed deliveries are retried and request statuses are checked: a PostgreSQL interval. */
export const retriedFor = '3 days';

/**
 * SQL: since when a delivery, a `delivery` called f of a `platform_connection` called c, has been retried. One that
 * waited for its connection has the full time from its resumption on.
 */
export const retriedSince = 'greatest(coalesce(f.retried_since, f.created_at), c.resumed_at)';

// what is known of a webhook that works is written so rarely that it costs nothing
const acceptedEvery = '1 hour';

/** In the audit log: not a person. */
const actor = 'leadback';

/**
 * Transition 7: expressions for the statement of settle.ts. A rejection counts for the version of the connection
 * that was sent with. A platform that rejects its connection needs attention. A webhook is paused, because it belongs to
 * the partner: if it responded with 410, or if a delivery has used up its retries while nothing was accepted for as long.
 */
const judgedConnections: string = `rejection as (
     select distinct on ("connectionId") "connectionId" as connection_id, "accountId" as account_id, version, reason
     from entry join mine on mine.id = entry.parcel where attempt->>'outcome' = 'refused' order by "connectionId", version desc
   ), accepting as (
     select distinct connection_id as id from changed where webhook_event_id is not null and state = 'delivered'
   ), failing as (
     select distinct connection_id, account_id from outcome
     where coalesce(is_too_late, false) and webhook_event_id is not null
       and connection_id <> all(array(select id from accepting))
   ), judged as (
     select * from rejection
     union all
     select connection_id, account_id, null, '${webhookPauses.failing}' from failing
     where connection_id <> all(array(select connection_id from rejection))
   ), rejected as (
     update platform_connection c
     set state = case c.platform when '${webhookName}' then 'paused' else 'needs_attention' end, state_reason = r.reason
     from judged r
     where c.id = any(array(select connection_id from judged)) and c.id = r.connection_id
       and c.account_id = r.account_id and c.state = 'active'
       and (c.version = r.version
            or r.version is null and greatest(c.last_accepted_at, c.resumed_at, c.created_at) <= now() - $2::interval)
     returning ${changedConnectionColumns}
   ), paused as (
     insert into audit_entry (actor, action, account_id, target, details)
     select '${actor}', 'webhook.pause', account_id, 'webhook ' || id, jsonb_build_object('reason', state_reason)
     from rejected where platform = '${webhookName}'
   ), accepted as (
     update platform_connection c set last_accepted_at = now()
     where c.id = any(array(select id from accepting)) and c.id <> all(array(select id from rejected))
       and (c.last_accepted_at is null or c.last_accepted_at <= now() - interval '${acceptedEvery}')
   )`;

interface SettledRow {
  delivery_id: number | null;
  state: DeliveryState | null;
  connection_id: number;
}

// Deleting the parcel decides: only the last claim finds it. An earlier claim changes nothing, except that an event
// which the platform accepted is delivered, in whatever order the outcomes are saved; it leaves the parcel that has it
// now. What must be sent again leaves in new parcels, which keep the number of claims. A delivery whose retry would be
// after the last day for retries has failed; those that were not sent, or wait for the operator, have not, and keep
// what is known of crashes.
//
// Attempts are those of the rows that it has changed. A settlement that is repeated while the first one is being
// committed has read the rows of before; the update reads them again.
//
// Match keys are those of the last event that was sent; of a delivery that is skipped in the end, those of no event.
//
// `attempt` is jsonb: text would be parsed again for each of its fields, and for each delivery.
//
// Parcels are locked before deliveries, here as in every statement, so that two of them cannot deadlock.
//
// Plan: each parcel and delivery by its key; see `preparedStatement`. PostgreSQL expects half of the rows to meet a
// condition in coalesce(), and so enough rows to join them by hashing, not by comparing each delivery with each outcome.
/** Transitions 4 to 8. Parameters: settled deliveries as JSON, and for how long deliveries are retried. */
const settleParcels = preparedStatement<SettledRow>(
  'settle-parcels',
  `with entry as materialized (
     select * from json_to_recordset($1) as e (
       parcel bigint, claim int, "accountId" bigint, "connectionId" bigint, version int, "deliveryIds" bigint[],
       "matchKeys" int[], positions int[], state text, reason text, "retryInMs" float8, "isCounted" boolean, attempt jsonb,
       "eventNote" text, "sentVersion" int)
   ), mine as (
     delete from delivery_due d
     using (select distinct parcel, claim, "accountId" as account_id from entry) e
     where d.id = any(array(select parcel from entry))
       and d.id = e.parcel and d.account_id = e.account_id and d.claim = e.claim and d.phase = 'claimed'
     returning d.*
   ), outcome as materialized (
     select f.id, f.account_id, f.connection_id, f.webhook_event_id, e.attempt, e."eventNote" as event_note,
            e."sentVersion" as sent_version, named.position,
            case when e.state = 'skipped' then named.match_keys
                 else coalesce(named.match_keys, f.match_keys) end as match_keys, m.is_test, m.claim, m.oldest_at,
            case when e.attempt is null then m.claims_lost else 0 end as claims_lost,
            coalesce(f.retried_since, f.created_at) as retry_from, late.is_too_late,
            case when f.parcel_id is distinct from m.id then f.parcel_id end as elsewhere,
            f.attempts + case when e."isCounted" then 1 else 0 end as attempts,
            f.throttled + case when e.attempt->>'outcome' = 'throttled' then 1 else 0 end as throttled,
            case when late.is_too_late then 'failed' else e.state end as state,
            case when late.is_too_late then 'retries_exhausted: ' || coalesce(e.reason, '') else e.reason end as reason,
            now() + e."retryInMs" * interval '1 ms' as not_before
     from entry e
     left join mine m on m.id = e.parcel
     cross join lateral (
       select resumed_at from platform_connection where id = e."connectionId" and account_id + 0 = e."accountId" limit 1) c
     cross join lateral unnest(e."deliveryIds", e."matchKeys", e.positions) named (id, match_keys, position)
     cross join lateral (
       select * from delivery where id = named.id and account_id + 0 = e."accountId" limit 1) f
     cross join lateral (
       select coalesce(e.attempt->>'outcome' in ('unavailable', 'throttled') and now() + e."retryInMs" * interval '1 ms'
                > ${retriedSince} + $2::interval, false) as is_too_late
     ) late
     where coalesce(f.parcel_id = m.id and f.state = 'pending' or e.state = 'delivered' and f.state <> 'delivered', false)
   ), open as (
     select id, account_id, connection_id, is_test, not_before, claim, claims_lost, retry_from, oldest_at, state, reason,
            attempts, throttled, attempt, position, match_keys, event_note, sent_version
     from outcome where coalesce(state = 'pending', false)
   ), ${packed}, elsewhere as (
     update delivery_due d set delivery_ids = array(select id from unnest(d.delivery_ids) id where id <> all(e.ids))
     from (select elsewhere as parcel_id, array_agg(id) as ids from outcome group by elsewhere) e
     where d.id = any(array(select elsewhere from outcome where elsewhere is not null)) and d.id = e.parcel_id
     returning d.id
   ), changed as (
     update delivery f set state = o.state, reason = o.reason, attempts = o.attempts, throttled = o.throttled,
       parcel_id = o.parcel_id,
       match_keys = o.match_keys, closed_at = case when o.state <> 'pending' then now() end,
       event_note = case when o.state = 'delivered' then o.event_note end,
       is_confirmed = case when o.state <> 'delivered' then f.is_confirmed end,
       sent_version = case when o.state = 'delivered' then o.sent_version else f.sent_version end
     from (
       select id, state, reason, attempts, throttled, parcel_id, attempt, position, match_keys, event_note, sent_version
       from placed
       union all
       select id, state, reason, attempts, throttled, null, attempt, position, match_keys, event_note, sent_version
       from outcome
       where coalesce(state <> 'pending', false)
     ) o
     where (select count(*) from elsewhere) is not null
       and f.id = any(array(select id from outcome)) and f.id = o.id
       and (f.state = 'pending' or o.state = 'delivered' and f.state <> 'delivered')
     returning f.id, f.account_id, f.state, f.reason, f.connection_id, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id, o.attempt, o.position
   ), attempt as (
     insert into delivery_attempt
       (account_id, delivery_id, outcome, reason, http_status, answer, duration_ms, platform_request, request_position)
     select account_id, id, attempt->>'outcome', attempt->>'reason', (attempt->>'httpStatus')::int, attempt->>'answer',
            (attempt->>'durationMs')::int, attempt->'request'->>'name',
            case when jsonb_typeof(attempt->'request') = 'object' then position end
     from changed where jsonb_typeof(attempt) = 'object'
   ), request as (
     insert into platform_request (account_id, connection_id, name, check_at)
     select distinct on ("connectionId", attempt->'request'->>'name') "accountId", "connectionId",
            attempt->'request'->>'name', now() + (attempt->'request'->>'checkInMs')::float8 * interval '1 ms'
     from entry where jsonb_typeof(attempt->'request') = 'object'
     order by "connectionId", attempt->'request'->>'name'
     on conflict do nothing
   ), ${judgedConnections}, ${sentToWebhooks(
     'select account_id from changed union all select account_id from rejected',
     `${closedDeliveries('changed')}
       union all ${changedConnections('rejected', 'connection.needs_attention')}`,
   )}
   select id as delivery_id, state, connection_id from changed
   union all
   select null, null, id from rejected`,
);

/** What happened to some deliveries of a parcel alike. */
export interface SettledDeliveries extends NextState {
  readonly deliveryIds: readonly number[];
  /** The keys of the event of each, in the same order; null: no event was built. Missing: of none. */
  readonly matchKeys?: readonly (MatchKeySet | null)[];
  /** The position of the event of each in its request, in the same order; null: nothing was sent. Missing: of none. */
  readonly positions?: readonly (number | null)[];
  /** Null: nothing was sent. */
  readonly attempt: AttemptRecord | null;
  /** What the platform could not be told in full, if it accepted the event. */
  readonly eventNote?: string | undefined;
  /** The version of the connection with whose settings it was sent, if it was. */
  readonly sentVersion?: number | undefined;
}

export interface ParcelSettlement {
  readonly parcel: Pick<ClaimedParcel, 'id' | 'claim' | 'connection'>;
  readonly deliveries: readonly SettledDeliveries[];
}

export interface Settled {
  /** The new state of each delivery that changed; of the others another worker has the say, or they were closed. */
  readonly states: ReadonlyMap<number, DeliveryState>;
  /** Whether the connection needs attention from now on. */
  readonly isRejected: boolean;
}

const parametersOf = ({ parcel, deliveries }: ParcelSettlement) =>
  deliveries.map((alike) => ({
    parcel: parcel.id,
    claim: parcel.claim,
    accountId: parcel.connection.accountId,
    connectionId: parcel.connection.id,
    version: parcel.connection.version,
    ...alike,
  }));

// a parcel without open deliveries is settled as well: it is deleted
const nothing = {
  deliveryIds: [],
  state: 'pending',
  reason: null,
  retryInMs: 0,
  isCounted: false,
  attempt: null,
} as const;

/** The first settlement of each delivery, and the others: one statement changes a row once. */
const apart = (settlements: readonly ParcelSettlement[]): [first: ParcelSettlement[], others: ParcelSettlement[]] => {
  const seen = new Set<number>();
  const parts: [ParcelSettlement[], ParcelSettlement[]] = [[], []];
  for (const settlement of settlements) {
    const ids = settlement.deliveries.flatMap(({ deliveryIds }) => deliveryIds);
    parts[ids.some((id) => seen.has(id)) ? 1 : 0].push(settlement);
    for (const id of ids) seen.add(id);
  }
  return parts;
};

const save = async (pool: Pool, settlements: readonly ParcelSettlement[]): Promise<Map<ParcelSettlement, Settled>> => {
  const [first, others] = apart(settlements);
  const entries = first.flatMap(({ parcel, deliveries }) =>
    parametersOf({ parcel, deliveries: deliveries.length > 0 ? deliveries : [nothing] }),
  );
  const rows = await settleParcels(pool, [JSON.stringify(entries), retriedFor]);
  const states = new Map(
    rows.flatMap(({ delivery_id: id, state }) => (id === null || state === null ? [] : [[id, state] as const])),
  );
  const rejected = new Set(rows.flatMap((row) => (row.delivery_id === null ? [row.connection_id] : [])));
  const saved = new Map(
    first.map((settlement): [ParcelSettlement, Settled] => [
      settlement,
      { states, isRejected: rejected.has(settlement.parcel.connection.id) },
    ]),
  );
  return others.length === 0 ? saved : new Map([...saved, ...(await save(pool, others))]);
};

/**
 * Holds the outcomes that wait to share a statement. Returns a function that saves those of a claimed parcel. Saving twice
 * changes nothing more.
 */
export const parcelSettler = (pool: Pool): ((settlement: ParcelSettlement) => Promise<Settled>) =>
  batch(
    async (settlements: readonly ParcelSettlement[]) => {
      const saved = await save(pool, settlements);
      return settlements.flatMap((settlement) => saved.get(settlement) ?? []);
    },
    // 20 full parcels take PostgreSQL half a second. Nobody waits for an outcome, so that it may wait for others
    { itemsMax: 20, runsMax: 2, besideMs: 50, failureScope: failureScopeOf },
  );
