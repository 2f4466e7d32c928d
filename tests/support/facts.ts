import { openPool } from '@leadback/db';
import { brokerAdmin } from './broker-admin.ts';
import { drained } from './deliveries.ts';
import type { TestStack } from './given-stack.ts';
import type { Ledger } from './ledger.ts';
import { metricDifferences } from '../../packages/core/test/metric-differences.ts';
import { footprintIn } from './metrics.ts';
import { type Facts, violationsIn } from './oracle.ts';
import { eventId } from './sandbox.ts';
import { qualityDifferences } from '../../packages/core/test/quality-differences.ts';
import { storedFacts } from './stored-facts.ts';

const gather = async (stack: TestStack, { entries, canaries }: Ledger): Promise<Facts> => {
  const admin = brokerAdmin(stack.broker);
  // reads all rows, which may take longer than a statement of an app
  await using database = await openPool({
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
