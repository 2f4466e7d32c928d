/** SQL: the conversion of a delivery f. The adjustment is looked up only if the delivery is of one. */
export const conversionIdOf = `coalesce(f.conversion_id, (
         select conversion_id from conversion_adjustment where id = f.adjustment_id and account_id + 0 = f.account_id))`;

// Conditions that are those of a partial index stand outside of the lookups: else PostgreSQL may read that index instead.
// A delivery of another adjustment of the same conversion to the same connection. At most 101 adjustments are read, by
// their conversion: `id + 0` keeps the range of ids out of the plan, which holds adjustments of all conversions.
const existsOther = (which: string, states: string) => `exists (
           select from (select id, account_id from conversion_adjustment
                        where conversion_id = a.conversion_id and id + 0 ${which} a.id offset 0) other
           cross join lateral (
             select from feedback
             where adjustment_id = other.id and connection_id = f.connection_id and account_id + 0 = other.account_id
               and state in (${states}) limit 1) its)`;

// Whether the platform used an event, by the verdict of its request. Deliveries that were closed by an earlier version
// say nothing of it themselves.
const isUsed = (request: string) =>
  `${request}.verdict->>'kind' = 'final' and not jsonb_path_exists(${request}.verdict, '$.findings[*] ? (@.meaning != "warning")')`;

/**
 * SQL: the adjustment that a delivery f of a conversion v reports, as one JSON value `adjustment` (`ClaimedAdjustment`),
 * with what was told to the same connection before. No row, and nearly no time, if the delivery has another subject: the
 * claim of a conversion must not become slower.
 */
export const adjustmentOf = `(
       select json_build_object(
         'id', a.id, 'kind', a.kind, 'amount', a.amount::text, 'occurredAt', a.occurred_at,
         'takenBack', greatest(0, least(v.amount, (
           select min(amount) from conversion_adjustment
           where conversion_id = a.conversion_id and id + 0 < a.id and account_id + 0 = a.account_id)) - a.amount)::text,
         'original', original.state,
         'isOriginalUnconfirmed', coalesce(request.is_open, false),
         'isOriginalConfirmed', coalesce(original.is_confirmed, request.is_used),
         'formerSettings', former.stored,
         'isAdjustmentOpen', ${existsOther('<', "'pending'")},
         'isSuperseded', ${existsOther('>', "'pending', 'delivered'")}
       ) as adjustment
       from (select * from conversion_adjustment where id = f.adjustment_id and account_id + 0 = f.account_id limit 1) a
       left join lateral (
         select id, account_id, connection_id, state, sent_version, is_confirmed from feedback
         where conversion_id = a.conversion_id and connection_id = f.connection_id and account_id + 0 = f.account_id
         limit 1) original on true
       left join lateral (
         select bool_or(asked.look_at is not null) as is_open, (array_agg(${isUsed('asked')} order by sent.id desc))[1] as is_used
         from (select id, platform_request from feedback_attempt
               where feedback_id = original.id and account_id + 0 = original.account_id offset 0) sent
         left join lateral (
           select look_at, verdict from platform_request
           where connection_id = original.connection_id and name = sent.platform_request
             and account_id + 0 = original.account_id limit 1) asked on true
         where sent.platform_request is not null) request on true
       left join lateral (
         select json_build_object('settings', settings, 'eventNames', event_names) as stored
         from connection_settings_change
         where connection_id = original.connection_id and version >= coalesce(original.sent_version, 0)
           and account_id + 0 = original.account_id
         order by version limit 1) former on true
       where f.adjustment_id is not null)`;
