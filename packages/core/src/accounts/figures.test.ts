import { metricsRoller } from '../metrics/metrics.ts';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenManyDeliveries,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { readAccountFigures } from './figures.ts';

describe('the figures of accounts', async () => {
  const database = await shared(givenDatabase());
  const { pool } = database;
  const quiet = { isRevenuePartial: false, undelivered: 0, isUndeliveredPartial: false, rejected: 0, paused: 0 };

  it('say what each account earned, what somebody can still deliver, and what waits for a person', async () => {
    const em = database.em();
    const [shop, other, silent] = [await givenAccount(em), await givenAccount(em), await givenAccount(em)];
    await givenConversion(em, { account: shop, amount: '10.10' });
    await metricsRoller()(pool, 1_000);
    await givenConversion(em, { account: shop, amount: '5' });
    await givenConversion(em, { account: shop, amount: '700', currency: 'ARS' });
    await givenConversion(em, { account: shop, amount: '99', isTest: true });
    const old = new Date(Date.now() - 40 * 86_400_000);
    await givenConversion(em, { account: shop, amount: '1000', occurredAt: old });
    await givenConversion(em, { account: other, amount: '3' });
    await pool.query('update conversion set is_untold = true where account_id = $1', [other.id]);
    const meta = await givenConnection(em, { account: shop, state: 'needs_attention' });
    const paused = await givenConnection(em, { account: shop, platform: 'google', state: 'paused' });
    await givenConnection(em, { account: shop, platform: 'tiktok', state: 'paused' });
    await givenManyDeliveries(database, { connection: meta, rows: 3, state: 'failed', reason: 'HTTP 400' });
    await givenManyDeliveries(database, { connection: meta, rows: 2, state: 'skipped', reason: 'event_too_old' });
    await givenManyDeliveries(database, { connection: paused, rows: 1 });
    const figures = await readAccountFigures(pool, [shop.id, other.id, silent.id]);
    expect(figures.map(({ revenue: _revenue, ...others }) => others)).toEqual([
      { ...quiet, id: shop.id, undelivered: 3, rejected: 1, paused: 1, hasUntold: false, isConnected: true },
      { ...quiet, id: other.id, hasUntold: true, isConnected: false },
      { ...quiet, id: silent.id, hasUntold: false, isConnected: false },
    ]);
    expect(figures.at(0)?.revenue).toEqual([
      { currency: 'USD', amount: '75.10' },
      { currency: 'ARS', amount: '700.00' },
    ]);
    expect(figures.at(1)?.revenue).toEqual([{ currency: 'USD', amount: '3.00' }]);
    expect(figures.at(2)?.revenue).toEqual([]);
    expect(await readAccountFigures(pool, [])).toEqual([]);
  });

  it('are bounded: accounts share the rows that are read, and say that they have more', async () => {
    const em = database.em();
    const [large, small] = [await givenAccount(em), await givenAccount(em)];
    const connection = await givenConnection(em, { account: large });
    await givenManyDeliveries(database, { connection, rows: 30, state: 'failed', reason: 'HTTP 400' });
    await givenConversion(em, { account: small, amount: '7' });
    await metricsRoller()(pool, 1_000);
    const figures = await readAccountFigures(pool, [large.id, small.id], { metrics: 8, deliveries: 10 });
    expect(figures).toMatchObject([
      { id: large.id, undelivered: 10, isUndeliveredPartial: true },
      { id: small.id, revenue: [{ currency: 'USD', amount: '7.00' }], undelivered: 0, isUndeliveredPartial: false },
    ]);
  });
});
