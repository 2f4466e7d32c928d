import { countDeadRows, metricDimensions, metricsRoller, readAccountMetrics } from '@leadback/core/metrics/metrics';
import { qualityRoller } from '@leadback/core/quality/quality';
import { openDatabase } from '@leadback/db';
import {
  type TestDatabase,
  eventually,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenDelivery,
  givenManyDeliveries,
  shared,
  openPatientPool,
} from '@leadback/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { metricDifferences } from '../../test/metric-differences.ts';
import { givenHistory, history, killable } from '../../test/metrics-history.ts';
import { qualityDifferences } from '../../test/quality-differences.ts';

const ever = { from: '2000-01-01', to: '2100-01-01' };

const pendingChanges = async ({ pool }: TestDatabase): Promise<number> =>
  (await pool.query('select from metric_increment union all select from quality_increment')).rowCount ?? 0;

const rollUpAll = async ({ pool }: TestDatabase): Promise<void> => {
  for (const rollUp of [metricsRoller(), qualityRoller()]) while ((await rollUp(pool, 1_000)) > 0);
};

describe("an account's metrics", async () => {
  const database = await shared(givenDatabase());

  it('keeps metrics equal to a recount under concurrent changes and killed sessions', async () => {
    await using apps = await openDatabase({ url: database.url, applicationName: killable });
    apps.pool.on('error', () => {});
    let cutOff = 0;
    const property = fc.asyncProperty(history, async (bundles) => {
      const { isCutOff } = await givenHistory(database, apps);
      for (const bundle of bundles) {
        cutOff += (await Promise.all(bundle.map(isCutOff))).filter(Boolean).length;
        expect(await metricDifferences(database)).toEqual([]);
        expect(await qualityDifferences(database)).toEqual([]);
      }
    });
    await fc.assert(property, { numRuns: Number(process.env.METRICS_RUNS ?? 40), endOnFailure: true });
    await rollUpAll(database);
    expect(await metricDifferences(database)).toEqual([]);
    expect(await qualityDifferences(database)).toEqual([]);
    expect(await pendingChanges(database)).toBe(0);
    expect(cutOff).toBeGreaterThan(0);
  });

  it('reads exact metrics by day, page and campaign, without other accounts', async () => {
    const em = database.em();
    const connection = await givenConnection(em);
    const account = await connection.account.loadOrFail();
    const client = { lead: { clickParameters: { utm_campaign: 'summer' } } };
    await givenManyDeliveries(database, { connection, rows: 3, client, state: 'delivered' });
    await rollUpAll(database);
    await givenManyDeliveries(database, { connection, rows: 2, state: 'failed' });
    await givenConversion(em, { account, amount: '9999999999.99', currency: 'ARS', client });
    await givenConversion(em, { account, isTest: true, client });
    await givenDelivery(em);

    const read = (by: (typeof metricDimensions)[number][], range = ever) =>
      readAccountMetrics(database.em(), { accountId: account.id, by, ...range });
    const summer = {
      leads: 3,
      clients: 2, // test clients are not counted
      conversions: 4,
      'amount.USD': 30,
      'amount.ARS': 9_999_999_999.99,
      'deliveries.meta.delivered': 3,
    };
    const unnamed = { leads: 1, clients: 1, conversions: 2, 'amount.USD': 20, 'deliveries.meta.failed': 2 };
    const nothingElse = Object.fromEntries(metricDimensions.map((name) => [name, null]));
    expect(await read(['campaign'])).toEqual([
      { ...nothingElse, campaign: null, values: unnamed },
      { ...nothingElse, campaign: 'summer', values: summer },
    ]);
    const { rows } = await database.pool.query<{ day: string }>(`select (now() at time zone 'UTC')::date::text as day`);
    const [{ day } = { day: '' }] = rows;
    expect(await read(['day'], { from: day, to: day })).toMatchObject([{ day, values: { conversions: 6 } }]);
    expect(await read(['day'], { from: ever.from, to: '2026-01-01' })).toEqual([]);
    const apart = await read([...metricDimensions]);
    expect(new Set(apart.map(({ page }) => page)).size).toBe(4);
    expect(apart).toHaveLength(4);
  });
});

it('counts the deleted rows that a long snapshot keeps, until it ends', async () => {
  await using database = await givenDatabase();
  await using owner = await openPatientPool({ url: database.ownerUrl, applicationName: 'owner' });
  const vacuumed = async (table: 'delivery_due' | 'metric_increment') => {
    await owner.pool.query(`vacuum (index_cleanup on) ${table}`);
    return (await countDeadRows(database.pool)).get(table);
  };
  const reader = database.em();
  await reader.begin({ isolationLevel: 'repeatable read' });
  await reader.execute('select count(*) from account');
  await database.pool.query(
    `insert into delivery_due (account_id, connection_id, delivery_ids) select 1, 1, '{1}' from generate_series(1, 300)`,
  );
  await database.pool.query('delete from delivery_due');
  await eventually(async () => expect(await vacuumed('delivery_due')).toBe(300));
  expect(await vacuumed('metric_increment')).toBe(0);
  await reader.rollback();
  await eventually(async () => expect(await vacuumed('delivery_due')).toBe(0));
});
