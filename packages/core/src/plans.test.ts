import {
  givenAccount,
  givenConnection,
  givenDatabase,
  givenLandingPage,
  givenWebhook,
  type TestDatabase,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import {
  type ExecutedPlan,
  type ExplainedDatabase,
  openExplained,
  type Operation,
  recordPlans,
} from '../test/plans.ts';
import { openFiller } from '../test/plans/fill.ts';
import { intakeOperations, workerOperations } from '../test/plans/operations.ts';

const growing =
  /^(lead|client|conversion|first_sale|conversion_adjustment|delivery|delivery_attempt.*|delivery_due|metric_increment|account_metric|quality_increment|quality_day|idempotency_record|platform_request|webhook_event|consent_withdrawal)$/;

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
const faultsIn = ({ nodes }: ExecutedPlan, { rowsMax }: Operation, tables: TablesOfIndexes): string[] =>
  nodes.flatMap(({ type, table: known, index, isBounded, rowsRead }) => {
    // each row compared with each other
    if (rowsRead > comparedMax * rowsMax) return [`${type} reads ${rowsRead} rows`];
    const table = known ?? tables.get(index ?? '');
    if (table === undefined || !growing.test(table) || !type.includes('Scan')) return [];
    const name = `${type} of ${index ?? table}`;
    if (rowsRead > rowsMax) return [`${name} reads ${rowsRead} rows`];
    const isWhole = type === 'Seq Scan' || (type !== 'Bitmap Heap Scan' && !isBounded);
    return isWhole ? [`${name} reads everything`] : [];
  });

// a million: `npm run test:long -- plans`
const rowsInAll = Number(process.env['PLAN_ROWS'] ?? 10_000);
const timeout = { timeout: 900_000 };
const subjectOf = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90);

const given = async (database: TestDatabase) => {
  const em = database.em();
  const account = await givenAccount(em);
  const page = await givenLandingPage(em, { account });
  const connections: number[] = [];
  for (let count = 0; count < 20; count += 1) connections.push((await givenConnection(em, { account })).id);
  const own = await givenConnection(em, { account: await givenAccount(em), platform: 'google' });
  const watched = await givenConnection(em, { account: await givenAccount(em) });
  const webhooks = [];
  for (let count = 0; count < 3; count += 1) {
    webhooks.push(await givenWebhook(em, { account: await watched.account.loadOrFail() }));
  }
  const filler = await openFiller(database, { account, page: page.id, connections });
  const core = [...workerOperations(database, { own, filled: connections, watched, webhooks })];
  const operations = [...core, ...intakeOperations(account, page.id)];
  await recordPlans(database);
  return { filler, core, operations, tables: await tablesOfIndexes(database) };
};

type All = Awaited<ReturnType<typeof given>>;

const faultsOf = async (
  on: ExplainedDatabase,
  { operations, tables }: Pick<All, 'operations' | 'tables'>,
): Promise<string[]> => {
  const faults: string[] = [];
  for (const operation of operations) {
    on.takePlans();
    await operation.run(on);
    const plans = on.takePlans();
    if (plans.length === 0) faults.push(`${operation.name}: no plans`);
    for (const plan of plans) {
      const found = faultsIn(plan, operation, tables);
      if (plan.pages > (operation.pagesMax ?? Infinity)) found.push(`reads ${plan.pages} pages`);
      faults.push(...found.map((fault) => `${operation.name}: ${fault}: ${subjectOf(plan.text)}`));
    }
  }
  return faults;
};

// with fewer, all indexes that begin with the account cost the same, and PostgreSQL may read the clients of an account
const distinctRows = 10_000;

/** As sessions that start now plan the statements. */
const faultsOfFresh = async (database: TestDatabase, rows: number, all: All): Promise<string[]> => {
  const faults: string[] = [];
  const operations = rows < distinctRows ? all.core : all.operations;
  for (const mode of ['force_generic_plan', 'force_custom_plan'] as const) {
    await using fresh = await openExplained(database, mode);
    faults.push(...(await faultsOf(fresh, { ...all, operations })).map((fault) => `${mode}: ${fault}`));
  }
  return faults;
};

describe('the plans of the hot statements of delivery and intake', () => {
  it('read by key, also if they were made when the tables were empty and kept since', timeout, async () => {
    await using database = await givenDatabase();
    const all = await given(database);
    await using filler = all.filler;
    await using kept = await openExplained(database, 'force_generic_plan');
    expect(await faultsOf(kept, all)).toEqual([]);
    expect(await faultsOfFresh(database, 0, all)).toEqual([]);
    await filler.fillTo(rowsInAll);
    // what it reads too much grows with the tables
    expect(await faultsOf(kept, all)).toEqual([]);
    expect(await faultsOfFresh(database, rowsInAll, all)).toEqual([]);
    await filler.analyze();
    expect(await faultsOfFresh(database, rowsInAll, all)).toEqual([]);
  });

  it('read by key if PostgreSQL knows that the tables are empty', async () => {
    await using database = await givenDatabase();
    const all = await given(database);
    await using filler = all.filler;
    await filler.analyze();
    expect(await faultsOfFresh(database, 0, all)).toEqual([]);
  });
});
