import type { Database } from '@leadback/db';
import { openPatientPool } from '@leadback/testing';
import { z } from 'zod';
import { metricDifferences } from '../../packages/core/test/metric-differences.ts';
import { qualityDifferences } from '../../packages/core/test/quality-differences.ts';
import { brokerAdmin } from './broker-admin.ts';
import { drained } from './deliveries.ts';
import type { TestStack } from './given-stack.ts';
import type { Ledger } from './ledger.ts';
import { footprintIn } from './metrics.ts';
import { type Facts, violationsIn } from './oracle.ts';
import { eventId } from './sandbox.ts';

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

const storedRows = `select
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
    union all select 'metric_increment', m::text from metric_increment m
    union all select 'account_metric', m::text from account_metric m
    union all select 'quality_increment', q::text from quality_increment q
    union all select 'quality_day', q::text from quality_day q) rows) as traces`;

/** What the database says about conversions and their deliveries, for the oracle. */
export const storedFacts = async ({ pool }: Pick<Database, 'pool'>): Promise<z.infer<typeof storedSchema>> => {
  const { rows } = await pool.query(storedRows);
  return storedSchema.parse(rows[0]);
};

const gather = async (stack: TestStack, { entries, canaries }: Ledger): Promise<Facts> => {
  const admin = brokerAdmin(stack.broker);
  // reads all rows, which may take longer than a statement of an app
  await using database = await openPatientPool({
    url: stack.database.url,
    applicationName: 'test',
    hasNoStatementTimeout: true,
  });
  const [stored, events, queue, left, logs, differences, footprints] = await Promise.all([
    storedFacts(database),
    stack.sandbox.events(),
    admin.look(),
    admin.read(),
    Promise.all([stack.logOf('api'), stack.logOf('feedback-worker')]),
    Promise.all([metricDifferences(database), qualityDifferences(database)]).then((found) => found.flat()),
    Promise.all(
      stack.running().map(async ({ name, atStart, metrics }) => {
        return { app: name, atStart, now: footprintIn(await metrics()) };
      }),
    ),
  ]);
  const { traces, ...kept } = stored;
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

/** The facts without those of conversions that a failover lost: their platforms may have been told. */
const without = (lost: ReadonlySet<string>, facts: Facts): Facts => ({
  ...facts,
  entries: facts.entries.filter(({ reference }) => !lost.has(reference)),
  events: facts.events.filter((event) => !lost.has(eventId(event))),
});

/**
 * The violations after a fault: waits until everything pending is delivered, then compares the ledger with all facts.
 * Empty if nothing was lost but the conversions with the references in `lost`, duplicated or leaked.
 */
export const violationsAfter = async (
  stack: TestStack,
  ledger: Ledger,
  { lost = new Set(), ...allowed }: { readonly duplicatesMax?: number; readonly lost?: ReadonlySet<string> } = {},
): Promise<string[]> => {
  await drained(stack.database);
  await brokerAdmin(stack.broker).hasEmptied();
  return violationsIn(without(lost, await gather(stack, ledger)), allowed);
};
