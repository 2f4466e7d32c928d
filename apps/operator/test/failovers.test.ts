import { compareAccepted } from '@leadback/core/accepted';
import { type ConnectionPool } from '@leadback/db';
import { platformRegistry } from '@leadback/platforms';
import { type TestDatabase, givenConversion, givenDatabase, secretsKeys, openPatientPool } from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFailovers } from '../src/doctor/database.ts';
import { givenOperator } from './given-operator.ts';

describe('the check of failovers', () => {
  let database: TestDatabase;
  let api: ConnectionPool;
  beforeEach(async () => {
    database = await givenDatabase();
    api = await openPatientPool({ url: database.urlOf('api'), applicationName: 'test' });
  });
  afterEach(async () => {
    await api[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const server = '7712026909806147533/2';
  const check = () =>
    checkFailovers({
      em: database.em(),
      pool: database.pool,
      secretsKeys,
      landingUrl: 'http://127.0.0.1:3000',
      consoleUrl: 'http://127.0.0.1:3004',
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }),
    }).then((found) => [found].flat());
  const isPromoted = async (after = server) => {
    const details = { before: '7712026909806147533/1', after };
    await api.pool.query(
      `insert into audit_entry (actor, action, target, details) values ('leadback', 'database.promoted', 'database', $1)`,
      [details],
    );
  };
  /** What an api accepted, of which one conversion is stored. */
  const givenAccepted = async () => {
    const { id, account } = await givenConversion(database.em());
    const of = { accountId: account.id, atMs: Date.UTC(2026, 10, 25, 8, 0, 0) };
    const later = { ...of, atMs: of.atMs + 1_500 };
    return {
      stored: { ...of, kind: 'conversion', id } as const,
      lost: [
        { ...later, kind: 'conversion', id: id + 2 },
        { ...of, kind: 'conversion', id: id + 1 },
        { ...of, kind: 'client', id: 700 },
        { ...of, accountId: account.id + 1, kind: 'adjustment', id: 5 },
      ] as const,
    };
  };

  it('finds nothing if PostgreSQL was not promoted', async () => {
    expect(await check()).toMatchObject([{ state: 'ok', finding: 'none within 7 days' }]);
  });

  it('warns of a promotion after which no api has compared what it accepted', async () => {
    await isPromoted();
    expect(await check()).toMatchObject([{ state: 'warn', finding: expect.stringContaining('no api has compared') }]);
  });

  it('says how much was compared if nothing is missing', async () => {
    const { stored } = await givenAccepted();
    await isPromoted();
    expect(await compareAccepted(api.pool, [stored], server)).toBe(0);
    const finding = '1 promotion within 7 days; of 1 registration that the apis accepted before, none is missing';
    expect(await check()).toMatchObject([{ state: 'ok', finding }]);
  });

  it('lists what is missing of each account', async () => {
    const { stored, lost } = await givenAccepted();
    await isPromoted();
    expect(await compareAccepted(api.pool, [stored, ...lost], server)).toBe(lost.length);
    const { id, accountId } = stored;
    const between = 'accepted from 2026-11-25T08:00:00.000Z to 2026-11-25T08:00:0';
    expect(await check()).toMatchObject([
      {
        state: 'error',
        finding: `a failover lost 3 registrations of account ${accountId}, ${between}1.500Z: clients 700; conversions ${id + 1}-${id + 2}`,
      },
      {
        state: 'error',
        finding: `a failover lost 1 registration of account ${accountId + 1}, ${between}0.000Z: adjustments 5`,
      },
    ]);

    await isPromoted('7712026909806147533/3');
    expect(await check()).toMatchObject([
      { state: 'error' },
      { state: 'error' },
      { state: 'warn', finding: expect.stringContaining('no api has compared') },
    ]);
  });
});

it('gives no id again if a command is the first to connect after a promotion', async () => {
  await using operator = await givenOperator();
  const before = await operator.givenAccountId();
  await using owner = await openPatientPool({ url: operator.database.ownerUrl, applicationName: 'test' });
  await owner.pool.query(`update installation set server = '1234567890123456789/7'`);
  expect(await operator.givenAccountId()).toBeGreaterThan(before + 99_000_000);
});

it('reads a standby, which an app refuses', async () => {
  await using operator = await givenOperator();
  const id = await operator.givenAccountId();
  const { ownerUrl, url } = operator.database;
  await using owner = await openPatientPool({ url: ownerUrl, applicationName: 'test' });
  await owner.pool.query(`create or replace function follow_promotion() returns boolean language sql return false`);
  await using app = await openPatientPool({ url, applicationName: 'test', followsPromotions: true });
  await expect(app.answers()).rejects.toMatchObject({ code: '25006' });
  expect(await operator.json('account list')).toMatchObject([{ id }]);
});
