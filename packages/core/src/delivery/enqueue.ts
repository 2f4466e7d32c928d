import { type EventKind, type PlatformName, webhookName } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { countedLeadOf } from '../leads/attribution.ts';

/** The maximum number of deliveries in a parcel. */
export const parcelSizeMax = 200;

/**
 * Expressions for a `with` that put open deliveries into new parcels, after one named `open` (id, account_id,
 * connection_id, is_test, not_before, claim, claims_lost, retry_from, oldest_at, and others). `placed` is `open` with
 * the parcel_id of each delivery: the statement must write it to `delivery.parcel_id`. It is no list to be joined with
 * `open`, because a planner that expects few rows would compare each row of the one with each of the other.
 *
 * `prefix`: of the names of all these expressions, for a statement that packs twice.
 */
export const packedAs = (prefix: string): string => `${prefix}placed as materialized (
     select *, max(begun_id) over (partition by connection_id, is_test, not_before, claims_lost order by id) as parcel_id
     from (
       select numbered.*, case when place % ${parcelSizeMax} = 0 then nextval('delivery_due_id_seq') end as begun_id
       from (
         select *, row_number() over (partition by connection_id, is_test, not_before, claims_lost order by id) - 1 as place
         from ${prefix}open
       ) numbered
     ) begun
   ), ${prefix}due as (
     insert into delivery_due (id, account_id, connection_id, is_test, delivery_ids, not_before, claim, claims_lost,
                               retry_from, oldest_at)
     select parcel_id, account_id, connection_id, is_test, array_agg(id order by id), not_before, max(claim), claims_lost,
            min(retry_from), min(oldest_at)
     from ${prefix}placed group by parcel_id, account_id, connection_id, is_test, not_before, claims_lost
   )`;

/** With the names as they are. */
export const packed: string = packedAs('');

// What a worker holds has the time of its lease, which is none of a next attempt.
/**
 * SQL: when a delivery f over a `platform_connection` is sent next, at the earliest. Null: it is closed, a worker sends it, or its
 * connection is held.
 */
export const nextAttemptOf = (connection: string): string =>
  `case when f.state = 'pending' and ${connection}.state = 'active' and ${connection}.verify_at is null then (
            select not_before from delivery_due
            where id = f.parcel_id and account_id = f.account_id and phase = 'waiting') end`;

/** A new parcel, for the hint to the workers and the metrics. */
export interface NewParcel {
  readonly id: number;
  readonly connectionId: number;
  readonly platform: PlatformName;
  readonly isTest: boolean;
  /** The number of its deliveries. */
  readonly size: number;
  /** W3C `traceparent` of one of its leads, if any is traced. */
  readonly traceParent: string | null;
}

/**
 * SQL: a delivery of each row of `created` to each of its connections. `subject`: the column of `delivery` with the id of
 * the row. `leadId`: the click that the platform is told of, if not the conversion's own. `countedAs`: landing_page_id and
 * campaign for the metrics, which count the deliveries of conversions alone. The deliveries of one statement to one connection share parcels.
 */
const enqueuedTo = (
  connections: string,
  subject: 'conversion_id' | 'client_id' | 'adjustment_id',
  {
    leadId = 'null::bigint',
    countedAs = 'null::bigint as landing_page_id, null::text as campaign',
  }: { readonly leadId?: string; readonly countedAs?: string } = {},
): string => `open as (
     select nextval('delivery_id_seq') as id, created.id as subject_id, created.account_id, created.is_test,
            connection.id as connection_id, connection.platform, created.trace_parent, now() as not_before, 0 as claim,
            0 as claims_lost, now() as retry_from, coalesce(created.occurred_at, now()) as oldest_at,
            ${leadId} as lead_id, ${countedAs}
     from created cross join lateral (${connections}) connection
   ), ${packed}, delivery as (
     insert into delivery (id, account_id, ${subject}, connection_id, parcel_id, is_test, occurred_at, lead_id,
                           landing_page_id, campaign)
     select id, account_id, subject_id, connection_id, parcel_id, is_test, oldest_at, lead_id, landing_page_id, campaign
     from placed order by id
   ), parcel as (
     select parcel_id as id, min(connection_id) as connection_id, min(platform) as platform, bool_and(is_test) as is_test,
            count(*) as size, min(trace_parent) as trace_parent
     from placed group by parcel_id
   ), new_parcels as (
     select json_agg(json_build_object('id', id, 'connectionId', connection_id, 'platform', platform,
                                       'isTest', is_test, 'size', size, 'traceParent', trace_parent)) as parcels
     from parcel
   )`;

/** SQL: the connections (account_id, id, platform) of an account, or of `any(…)` of some, that are told of events of a kind. */
export const connectionsFor = (kind: EventKind, accountId = 'created.account_id'): string =>
  `select account_id, id, platform from platform_connection
       where account_id = ${accountId} and '${kind}' = any(event_kinds) and deleted_at is null`;

/** SQL: whether an account has a connection that is told of events of a kind. */
export const receives = (kind: EventKind, accountId: string): string => `exists (${connectionsFor(kind, accountId)})`;

/**
 * Transition 1. Expressions for the `with` of a statement, after one named `created` (id, account_id, is_test, occurred_at or
 * null, trace_parent, lead_id, lead_ids, landing_page_id, campaign): each of these conversions gets a delivery to every connection
 * (id, platform) of a select.
 *
 * The last expression, `new_parcels`, has one row with one column, `parcels`: a JSON array of `NewParcel`, or null.
 */
export const enqueuedSalesTo = (connections: string): string =>
  enqueuedTo(connections, 'conversion_id', {
    leadId: `case when created.lead_ids is not null then nullif(${countedLeadOf('connection.platform', {
      accountId: 'created.account_id',
      leadIds: 'created.lead_ids',
      soldAt: 'coalesce(created.occurred_at, now())',
    })}, created.lead_id) end`,
    countedAs: 'created.landing_page_id, created.campaign',
  });

const takingConnections = 'select id, platform from taking where account_id = created.account_id';

/**
 * The same for a statement that registers conversions: to all connections of the account that are told of conversions. One that is
 * paused or needs attention gets its deliveries too: they wait for it, and may become too old for the platform meanwhile. One that
 * was deleted gets none.
 */
export const enqueued: string = enqueuedSalesTo(takingConnections);

/** The same if the click that counts for each conversion is the only one of its client; `created` needs no lead_ids. */
export const enqueuedOfOneClick: string = enqueuedTo(takingConnections, 'conversion_id', {
  countedAs: 'created.landing_page_id, created.campaign',
});

/**
 * As `enqueued`, for a statement that registers clients: a new client gets a delivery to each connection that is told of
 * leads.
 */
export const enqueuedLeads: string = enqueuedTo(connectionsFor('lead'), 'client_id');

/**
 * As `enqueued`, for a statement that registers adjustments; `created` also has their conversion_id. An adjustment gets a
 * delivery to each connection to which its conversion has one, of those for which a condition holds: with the click of which the
 * platform was told.
 */
export const enqueuedAdjustmentsTo = (condition: string): string =>
  enqueuedTo(
    `select c.id, c.platform, its.lead_id
       from (select connection_id, lead_id from delivery
             where conversion_id = created.conversion_id and account_id + 0 = created.account_id offset 0) its
       cross join lateral (
         select id, platform from platform_connection
         where id = its.connection_id and account_id + 0 = created.account_id and deleted_at is null limit 1) c
       where ${condition}`,
    'adjustment_id',
    { leadId: 'connection.lead_id' },
  );

/** To all of them. */
export const enqueuedAdjustments: string = enqueuedAdjustmentsTo('true');

const findPlatforms = preparedStatement<{ platform: PlatformName }>(
  'platforms-of-account',
  `select distinct platform from platform_connection
   where account_id = $1 and platform <> '${webhookName}' and deleted_at is null`,
);

/** The platforms that are told of an account's conversions. */
export const platformsOf = async (on: Queryable, accountId: number): Promise<readonly PlatformName[]> =>
  (await findPlatforms(on, [accountId])).map(({ platform }) => platform);
