import {
  givenAccount,
  givenConnection,
  givenDatabase,
  givenLandingPage,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { describe, expect, it } from 'vitest';
import { type ExecutedPlan, type ExplainedDatabase, openExplained, tellPlans } from '../support/plans.ts';
import { coreOperations, type Operation } from './plans/core-operations.ts';
import { openFiller } from './plans/fill.ts';
import { intakeOperations } from './plans/intake-operations.ts';

const growing =
  /^(lead|client|conversion|feedback|feedback_attempt.*|feedback_due|metric_change|account_metric|idempotency_record|platform_request)$/;

type TablesOfIndexes = ReadonlyMap<string, string>;

const tablesOfIndexes = async ({ pool }: TestDatabase): Promise<TablesOfIndexes> => {
  const { rows } = await pool.query<{ index: string; table: string }>(
    `select i.relname as index, t.relname as table
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid`,
  );
  return new Map(rows.map(({ index, table }) => [index, table]));
};

const comparedMax = 20;

/** What a plan reads that grows with the tables. */
const faultsIn = (
  { nodes }: ExecutedPlan,
  { rowsMax, readsAllOf = [] }: Operation,
  tables: TablesOfIndexes,
): string[] =>
  nodes.flatMap(({ type, table: known, index, isBounded, rowsRead }) => {
    // each row compared with each other
    if (rowsRead > comparedMax * rowsMax) return [`${type} reads ${rowsRead} rows`];
    const table = known ?? tables.get(index ?? '');
    if (table === undefined || !growing.test(table) || readsAllOf.includes(table) || !type.includes('Scan')) return [];
    const name = `${type} of ${index ?? table}`;
    if (rowsRead > rowsMax) return [`${name} reads ${rowsRead} rows`];
    const isWhole = type === 'Seq Scan' || (type !== 'Bitmap Heap Scan' && !isBounded);
    return isWhole ? [`${name} reads everything`] : [];
  });

const timeout = { timeout: 300_000 };
const subjectOf = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90);

const given = async (database: TestDatabase) => {
  const em = database.em();
  const account = await givenAccount(em);
  const page = await givenLandingPage(em, { account });
  const connections: number[] = [];
  for (let count = 0; count < 20; count += 1) connections.push((await givenConnection(em, { account })).id);
  const own = await givenConnection(em, { account: await givenAccount(em), platform: 'google' });
  const filler = await openFiller(database, { account: account.id, page: page.id, connections });
  const operations = [...coreOperations(database, own, connections), ...intakeOperations(account, page.id)];
  await tellPlans(database);
  return { filler, operations, tables: await tablesOfIndexes(database) };
};

describe('the plans of all statements of delivery and intake', () => {
  const runAll = async (
    on: ExplainedDatabase,
    { operations, tables }: Awaited<ReturnType<typeof given>>,
  ): Promise<Record<string, string[]>> => {
    const faults: Record<string, string[]> = {};
    for (const operation of operations) {
      on.takePlans();
      await operation.run(on);
      const plans = on.takePlans();
      expect(plans.length, operation.name).toBeGreaterThan(0);
      for (const plan of plans) {
        const found = faultsIn(plan, operation, tables);
        if (plan.pages > (operation.pagesMax ?? Infinity)) found.push(`reads ${plan.pages} pages`);
        if (found.length > 0) faults[`${operation.name}: ${subjectOf(plan.text)}`] = found;
      }
    }
    return faults;
  };
  /** As sessions that start now plan the statements. */
  const runFresh = async (database: TestDatabase, all: Awaited<ReturnType<typeof given>>) => {
    for (const mode of ['force_generic_plan', 'force_custom_plan'] as const) {
      await using fresh = await openExplained(database, mode);
      expect(await runAll(fresh, all), mode).toEqual({});
    }
  };

  it('read by key, also if they were made when the tables were empty and kept since', timeout, async () => {
    await using database = await givenDatabase();
    const all = await given(database);
    await using filler = all.filler;
    await using kept = await openExplained(database, 'force_generic_plan');
    for (const rows of [0, 1_000, 10_000, 100_000, 2_000_000]) {
      await filler.fillTo(rows);
      expect(await runAll(kept, all), `${rows} rows`).toEqual({});
      await runFresh(database, all);
    }
    await filler.analyze();
    await runFresh(database, all);
  });

  it.each([0, 10_000])('read by key if PostgreSQL knows that there are %d rows', async (rows) => {
    await using database = await givenDatabase();
    const all = await given(database);
    await using filler = all.filler;
    await filler.fillTo(rows);
    await filler.analyze();
    await runFresh(database, all);
  });
});
