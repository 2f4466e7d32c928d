import { type Database, openDatabase } from '@leadback/db';
import { z } from 'zod';
import { metricDifferences } from '../../../tests/support/metric-differences.ts';
import { type Facts, violationsIn } from '../../../tests/support/oracle.ts';
import { qualityDifferences } from '../../../tests/support/quality-differences.ts';
import { sandboxAt } from '../../../tests/support/sandbox.ts';
import { storedFacts } from '../../../tests/support/stored-facts.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { listQueues } from '../stack/list-queues.ts';
import { until } from '../until.ts';
import { addresses } from './addresses.ts';
import type { LoadedPartner } from './partner.ts';
import type { Sent } from './steady-load.ts';

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const;
// leases of killed workers end after two minutes
const drainMaxMs = 240_000;

/** The database as its administrator, through the port that compose publishes. */
export const administratorOf = ({ settings }: ComposeStack): Promise<Database> =>
  openDatabase({
    url: `postgres://postgres:${settings['POSTGRES_PASSWORD']}@127.0.0.1:5432/leadback`,
    applicationName: 'deploy-check',
    hasNoStatementTimeout: true,
  });

const queuesSchema = z.array(z.object({ name: z.string(), messages: z.number() }));

const queuesOf = async (stack: ComposeStack) =>
  queuesSchema
    .parse(await listQueues(stack, 'name', 'messages'))
    .map(({ name, messages }) => ({ queue: name, messages }));

const countOf = async ({ pool }: Database, text: string, values: readonly unknown[] = []): Promise<number> => {
  const { rows } = await pool.query(text, [...values]);
  return z.object({ count: z.coerce.number() }).parse(rows[0]).count;
};

/** The leads with which visitors were redirected and that are not in the database. */
const leadsLost = async (database: Database, leads: readonly string[]): Promise<string[]> => {
  const { rows } = await database.pool.query('select reference from lead where reference = any($1::text[])', [leads]);
  const stored = new Set(
    z
      .array(z.object({ reference: z.string() }))
      .parse(rows)
      .map(({ reference }) => reference),
  );
  return leads.filter((lead) => !stored.has(lead)).map((lead) => `the lead ${lead} is lost`);
};

/**
 * Waits until everything is delivered, then compares what partners and visitors were told with the database, the queues, the
 * sandbox and the logs. Throws with the first violations. `requested`: conversions that were requested before the load.
 */
export const assertNothingLost = async (
  stack: ComposeStack,
  partner: LoadedPartner,
  sent: Sent,
  { duplicatesMax, requested = [] }: { readonly duplicatesMax: number; readonly requested?: Facts['entries'] },
): Promise<string> => {
  await using database = await administratorOf(stack);
  const pending = `select count(*) from feedback where state = 'pending'`;
  await until('all deliveries are closed', async () => (await countOf(database, pending)) === 0, {
    timeoutMs: drainMaxMs,
  });
  const { leads } = sent;
  await until('all leads are stored', async () => (await leadsLost(database, leads)).length === 0).catch(() => {});
  await until('all queues are empty', async () => (await queuesOf(stack)).every(({ messages }) => messages === 0));
  const [stored, events, queues, logs, metrics, quality, lost] = await Promise.all([
    storedFacts(database),
    sandboxAt(addresses.sandbox).events(),
    queuesOf(stack),
    stack.logs(...apps),
    metricDifferences(database),
    qualityDifferences(database),
    leadsLost(database, leads),
  ]);
  const entries = [...requested, ...sent.entries];
  const { canaries } = partner;
  const facts = {
    ...stored,
    entries,
    canaries,
    events,
    queues,
    logs,
    metricDifferences: [...metrics, ...quality],
    footprints: [],
  };
  const violations = [...violationsIn(facts, { duplicatesMax }), ...lost];
  if (violations.length > 0) throw new Error(`${violations.length} violations: ${violations.slice(0, 5).join('; ')}`);
  const accepted = entries.filter(({ ids }) => ids.length > 0).length;
  return `${accepted} of ${entries.length} conversions accepted, ${events.length} events, ${leads.length} leads, nothing lost`;
};
