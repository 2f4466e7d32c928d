import {
  givenAccount,
  givenConnection,
  givenDatabase,
  givenLandingPage,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { appendFileSync } from 'node:fs';
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

/** What a plan reads that grows with the tables. */
const faultsIn = (
  { nodes }: ExecutedPlan,
  { rowsMax, readsAllOf = [] }: Operation,
  tables: TablesOfIndexes,
): string[] =>
  nodes.flatMap(({ type, table: known, index, isBounded, rowsRead }) => {
    const table = known ?? tables.get(index ?? '');
    if (table === undefined || !growing.test(table) || readsAllOf.includes(table) || !type.includes('Scan')) return [];
    const name = `${type} of ${index ?? table}`;
    if (rowsRead > rowsMax) return [`${name} reads ${rowsRead} rows`];
    const isWhole = type === 'Seq Scan' || (type !== 'Bitmap Heap Scan' && !isBounded);
    return isWhole ? [`${name} reads everything`] : [];
  });

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
  return { filler, operations };
};

describe('the plans of all statements of delivery and intake', () => {
  const faults: Record<string, string[]> = {};
  let tables: TablesOfIndexes;

  const runAll = async (on: ExplainedDatabase, operations: readonly Operation[], when: string) => {
    for (const operation of operations) {
      on.takePlans();
      await operation.run(on);
      const plans = on.takePlans();
      expect(plans.length, operation.name).toBeGreaterThan(0);
      if (process.env.PLAN_LOG !== undefined)
        for (const plan of plans)
          appendFileSync(
            process.env.PLAN_LOG,
            `${when}\t${operation.name}\t${plan.milliseconds}\t${plan.pages}\t${plan.nodes.reduce((a, b) => a + b.rowsRead, 0)}\t${subjectOf(plan.text)}\n`,
          );
      for (const plan of plans) {
        const found = faultsIn(plan, operation, tables);
        if (found.length > 0) faults[`${when}, ${operation.name}: ${subjectOf(plan.text)}`] = found;
      }
    }
  };

  it('read by key at every size, also if they were made when the tables were empty', { timeout: 300_000 }, async () => {
    await using database = await givenDatabase();
    const { filler, operations } = await given(database);
    await using _filler = filler;
    tables = await tablesOfIndexes(database);
    await tellPlans(database);
    await using kept = await openExplained(database, 'force_generic_plan');
    await runAll(kept, operations, 'no rows');
    for (const rows of [1_000, 10_000, 100_000]) {
      await filler.fillTo(rows);
      await runAll(kept, operations, `${rows} rows, planned when there were none`);
      for (const mode of ['force_generic_plan', 'force_custom_plan'] as const) {
        await using fresh = await openExplained(database, mode);
        await runAll(fresh, operations, `${rows} rows, ${mode}`);
      }
    }
    expect(faults).toEqual({});
  });
});
