import { z } from 'zod';
import { brokerAdmin } from './broker-admin.ts';
import { drained } from './feedback.ts';
import type { TestStack } from './given-stack.ts';
import type { Ledger } from './ledger.ts';
import { metricDifferences } from './metric-differences.ts';
import { footprintIn } from './metrics.ts';
import { type Facts, violationsIn } from './oracle.ts';
import { qualityDifferences } from './quality-differences.ts';

const storedSchema = z.object({
  conversions: z.array(z.object({ id: z.number(), reference: z.string().nullable(), eventId: z.string() })),
  feedback: z.array(
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
    'state', state, 'reason', reason, 'parcelId', parcel_id)), '[]') from feedback where webhook_event_id is null) as feedback,
  (select count(*)::int from feedback_due) as parcels,
  (select coalesce(json_agg(json_build_object('id', id, 'platform', platform,
    'name', coalesce(settings->>'pixelId', settings->>'conversionActionId'))), '[]') from platform_connection
   where platform <> 'webhook') as connections,
  (select coalesce(json_agg(json_build_object('index', place, 'text', replace(text, E'\\n', ' '))), '[]') from (
    select 'feedback' as place, f::text as text from feedback f
    union all select 'feedback_attempt', a::text from feedback_attempt a
    union all select 'platform_request', r::text from platform_request r
    union all select 'webhook_event', w::text from webhook_event w
    union all select 'metric_change', m::text from metric_change m
    union all select 'account_metric', m::text from account_metric m
    union all select 'quality_change', q::text from quality_change q
    union all select 'quality_day', q::text from quality_day q) rows) as traces`;

const gather = async (stack: TestStack, { entries, canaries }: Ledger): Promise<Facts> => {
  const admin = brokerAdmin(stack.broker);
  const [{ rows }, events, queue, left, logs, differences, footprints] = await Promise.all([
    stack.database.pool.query(stored),
    stack.sandbox.events(),
    admin.look(),
    admin.read(),
    Promise.all([stack.logOf('api'), stack.logOf('feedback-worker')]),
    Promise.all([metricDifferences(stack.database), qualityDifferences(stack.database)]).then((found) => found.flat()),
    Promise.all(
      stack.running().map(async ({ name, atStart, metrics }) => {
        return { app: name, atStart, now: footprintIn(await metrics()) };
      }),
    ),
  ]);
  const { traces, ...kept } = storedSchema.parse(rows[0]);
  return {
    ...kept,
    entries,
    canaries,
    traces: [...traces, ...left],
    events,
    queues: [{ queue: queue.queue, messages: queue.messageCount }],
    logs: logs.join('\n'),
    metricDifferences: differences,
    footprints,
  };
};

/**
 * The violations after a fault: waits until everything pending is delivered, then compares the ledger with all facts.
 * Empty if nothing was lost, duplicated or leaked.
 */
export const violationsAfter = async (
  stack: TestStack,
  ledger: Ledger,
  allowed: { readonly duplicatesMax?: number } = {},
): Promise<string[]> => {
  await drained(stack.database);
  await brokerAdmin(stack.broker).hasEmptied();
  return violationsIn(await gather(stack, ledger), allowed);
};
