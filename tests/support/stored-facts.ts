import type { Database } from '@leadback/db';
import { z } from 'zod';

const storedSchema = z.object({
  conversions: z.array(z.object({ id: z.number(), reference: z.string().nullable(), eventId: z.string() })),
  deliveries: z.array(
    z.object({
      id: z.number(),
      conversion: z.number(),
      connection: z.number(),
      state: z.string(),
      reason: z.string().nullable(),
      parcelId: z.number().nullable(),
    }),
  ),
  parcels: z.number(),
  connections: z.array(z.object({ id: z.number(), platform: z.string(), name: z.string() })),
  traces: z.array(z.object({ index: z.string(), text: z.string() })),
});

const stored = `select
  (select coalesce(json_agg(json_build_object('id', id, 'reference', external_reference,
    'eventId', event_id)), '[]') from conversion) as conversions,
  (select coalesce(json_agg(json_build_object('id', id, 'conversion', conversion_id, 'connection', connection_id,
    'state', state, 'reason', reason, 'parcelId', parcel_id)), '[]') from delivery where webhook_event_id is null) as deliveries,
  (select count(*)::int from delivery_due) as parcels,
  (select coalesce(json_agg(json_build_object('id', id, 'platform', platform,
    'name', coalesce(settings->>'pixelId', settings->>'conversionActionId'))), '[]') from platform_connection
   where platform <> 'webhook') as connections,
  (select coalesce(json_agg(json_build_object('index', place, 'text', replace(text, E'\\n', ' '))), '[]') from (
    select 'deliveries' as place, f::text as text from delivery f
    union all select 'delivery_attempt', a::text from delivery_attempt a
    union all select 'platform_request', r::text from platform_request r
    union all select 'webhook_event', w::text from webhook_event w
    union all select 'metric_change', m::text from metric_change m
    union all select 'account_metric', m::text from account_metric m
    union all select 'quality_change', q::text from quality_change q
    union all select 'quality_day', q::text from quality_day q) rows) as traces`;

/** What the database says about conversions and their deliveries, for the oracle. */
export const storedFacts = async ({ pool }: Pick<Database, 'pool'>): Promise<z.infer<typeof storedSchema>> => {
  const { rows } = await pool.query(stored);
  return storedSchema.parse(rows[0]);
};
