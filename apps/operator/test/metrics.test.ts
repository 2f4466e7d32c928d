import { matchKeySet, platformNames, standardCurrencies } from '@leadback/domain';
import { metricDimensions } from '@leadback/core/metrics/metrics';
import {
  givenAccount,
  givenAdjustment,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenManyDeliveries,
  shared,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestOperator, givenOperator } from './given-operator.ts';

const noMoney = Object.fromEntries(standardCurrencies.map((currency) => [currency, 0]));
const states = { pending: 0, delivered: 0, failed: 0, skipped: 0 };

describe('`metrics`', () => {
  let operator: TestOperator;
  let id: number;
  let slug: string;
  let today: string;

  beforeAll(async () => {
    operator = await givenOperator();
    const em = operator.database.em();
    const connection = await givenConnection(em);
    const account = await connection.account.loadOrFail();
    id = account.id;
    const client = { lead: { clickParameters: { utm_campaign: '=cmd|summer' } } };
    await givenManyDeliveries(operator.database, { connection, rows: 20, client, state: 'delivered' });
    const conversion = await givenConversion(em, { account, amount: '1234567.89', currency: 'ARS' });
    const lead = await (await conversion.client.loadOrFail()).lead.loadOrFail();
    slug = (await lead.landingPage.loadOrFail()).slug;
    today = lead.createdAt.toISOString().slice(0, 10);
  });
  afterAll(() => operator[Symbol.asyncDispose]());

  it('prints metrics as JSON, one row for each day, page and campaign', async () => {
    const [unnamed, ...others] = Object(await operator.json(`metrics --account ${id} --by page,campaign`));
    const rows = [unnamed, ...others].toSorted((one, other) => one.conversions - other.conversions);
    const unsaid = Object.fromEntries(metricDimensions.map((name) => [name, null]));
    const nothing = Object.fromEntries(platformNames.map((platform) => [platform, states]));
    expect(rows).toEqual([
      {
        ...unsaid,
        page: slug,
        leads: 1,
        clients: 1,
        conversions: 1,
        amount: { ...noMoney, ARS: 1_234_567.89 },
        refunded: noMoney,
        deliveries: nothing,
        timeZone: 'UTC',
      },
      {
        ...unsaid,
        page: expect.any(String),
        campaign: '=cmd|summer',
        leads: 1,
        clients: 1,
        conversions: 20,
        amount: { ...noMoney, USD: 200 },
        refunded: noMoney,
        deliveries: { ...nothing, meta: { ...states, delivered: 20 } },
        timeZone: 'UTC',
      },
    ]);
    expect(await operator.json(`metrics --account ${id}`)).toEqual([
      expect.objectContaining({ day: today }),
      expect.objectContaining({ day: today }),
    ]);
    expect(await operator.json(`metrics --account ${id} --to 2026-01-01`)).toEqual([]);
  });

  it('counts a conversion and its deliveries on the UTC day on which it occurred', async () => {
    const em = operator.database.em();
    const connection = await givenConnection(em);
    const account = await connection.account.loadOrFail();
    const add = async (occurredAt: string, amount: string, state: 'delivered' | 'failed') => {
      const conversion = await givenConversion(em, { account, amount, occurredAt: new Date(occurredAt) });
      await givenDelivery(em, { connection, conversion });
      await operator.database.pool.query(`update delivery set state = $2 where conversion_id = $1`, [
        conversion.id,
        state,
      ]);
    };
    await add('2026-03-01T20:59:59-03:00', '10.00', 'delivered');
    await add('2026-03-01T21:00:00-03:00', '20.00', 'delivered');
    await add('2026-03-02T12:00:00Z', '30.00', 'failed');
    const days = await operator.json(
      `metrics --account ${account.id} --from 2026-03-01 --to 2026-03-02 --by day --wide`,
    );
    expect(days).toMatchObject([
      { day: '2026-03-01', conversions: 1, amount: { USD: 10 }, deliveries: { meta: { ...states, delivered: 1 } } },
      {
        day: '2026-03-02',
        conversions: 2,
        amount: { USD: 50 },
        deliveries: { meta: { ...states, delivered: 1, failed: 1 } },
      },
    ]);
    expect(await operator.json(`metrics --account ${account.id} --by day`)).toMatchObject([
      { day: today, leads: 3, clients: 3, conversions: 0 },
    ]);
  });

  it('has the money of each currency apart, with its decimals: those that the account takes, and those of earlier sales', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em, { currencies: ['BRL', 'USD'] });
    for (const [amount, currency] of [
      ['80.10', 'BRL'],
      ['0.90', 'BRL'],
      ['1001', 'JPY'],
      ['1.235', 'KWD'],
    ] as const)
      await givenConversion(em, { account, amount, currency });
    const sold = { BRL: 81, USD: 0, JPY: 1001, KWD: 1.235 };
    const refunded = { BRL: 0, USD: 0, JPY: 0, KWD: 0 };
    const rows = await operator.json(`metrics --account ${account.id} --by day --wide`);
    expect(rows).toMatchObject([{ conversions: 4, amount: sold, refunded }]);
    expect(Object.keys(Object(rows)[0].amount)).toEqual(['BRL', 'USD', 'JPY', 'KWD']);
    const { out } = await operator.type(`metrics --account ${account.id} --by day --wide`);
    expect(out).toMatch(/BRL +│ +JPY +│ +KWD/);
    expect(out).toMatch(/81\.00 +│ +1,001 +│ +1\.235/);
  });

  it('counts adjustments on the day of their conversion, and shows what was refunded', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const occurredAt = new Date('2026-03-01T12:00:00Z');
    const sold = { account, amount: '100.00', occurredAt };
    const conversion = await givenConversion(em, sold);
    await givenAdjustment(em, { conversion, kind: 'restate', amount: '130.00' });
    await givenAdjustment(em, { conversion, kind: 'restate', amount: '60.50', previousAmount: '130.00' });
    await givenAdjustment(em, { conversion: await givenConversion(em, { ...sold, isTest: true }) });
    await givenAdjustment(em, { conversion: await givenConversion(em, sold) });
    const options = `metrics --account ${account.id} --from 2026-03-01 --to 2026-03-01 --by day`;
    expect(await operator.json(options)).toMatchObject([
      { conversions: 2, amount: { USD: 60.5, ARS: 0 }, refunded: { USD: 139.5, ARS: 0 } },
    ]);
    const { out } = await operator.type(`${options} --wide`);
    expect(out).toMatch(/USD +│ refunded USD │\n[^]* 60\.50 │ 139\.50 +│/);
    expect(out).not.toContain('ARS');
  });

  it('leaves test clients and their conversions out of metrics', async () => {
    const em = operator.database.em();
    const connection = await givenConnection(em);
    const account = await connection.account.loadOrFail();
    await givenClient(em, { account, isTest: true });
    const conversion = await givenConversion(em, { account, isTest: true });
    await givenDelivery(em, { connection, conversion });
    expect(await operator.json(`metrics --account ${account.id} --by day`)).toMatchObject([
      { leads: 2, clients: 0, conversions: 0, deliveries: { meta: states } },
    ]);
  });

  it('prints metrics as a table with bars and a total, without empty columns', async () => {
    const { out } = await operator.type(`metrics --account ${id} --by campaign --wide`);
    expect(out).toContain('=cmd|summer');
    expect(out).toMatch(/████████ 20 /);
    expect(out).toMatch(/▍ +1 /);
    expect(out).toMatch(/total +│ 2 +│ 2 +│ 21 +│ 200\.00 │ 1,234,567\.89 │ 20 delivered │/);
    expect(out).not.toMatch(/tiktok|google|linkedin|microsoft|failed|day/);
  });

  it('escapes campaign names that are formulas in CSV', async () => {
    const { out, err } = await operator.type(`metrics --account ${id} --by campaign --csv`);
    expect(err).toBe('');
    const [header, , summer] = out.split('\n');
    const names = [
      'day',
      'page',
      'platform',
      'source',
      'medium',
      'campaign',
      'term',
      'content',
      'leads',
      'clients',
      'conversions',
      ...standardCurrencies.map((currency) => `amount.${currency}`),
      ...standardCurrencies.map((currency) => `refunded.${currency}`),
      ...platformNames.flatMap((platform) => Object.keys(states).map((state) => `deliveries.${platform}.${state}`)),
      'timeZone',
    ];
    expect(header).toBe(names.map((name) => `"${name}"`).join(','));
    const money = [
      ...standardCurrencies.map((currency) => (currency === 'USD' ? '200' : '0')),
      ...standardCurrencies.map(() => '0'),
    ];
    const others = platformNames.slice(1).flatMap(() => Object.keys(states).map(() => '0'));
    expect(summer).toBe([`,,,,,"'=cmd|summer",,,1,1,20`, ...money, '0,20,0,0', ...others, '"UTC"'].join(','));
  });

  it('prints the header of CSV also if there are no metrics', async () => {
    const filled = (await operator.type(`metrics --account ${id} --by campaign --csv`)).out.split('\n');
    const range = '--from 2020-01-01 --to 2020-01-02';
    const { out } = await operator.type(`metrics --account ${id} --by campaign ${range} --csv`);
    expect(out).toBe(`${filled[0]}\n`);
    expect((await operator.type(`webhook list --account ${id} --csv`)).out).toContain('"id","url","events"');
  });

  it.each([
    ['--account 999999', 'there is no account 999999'],
    ['--account 1 --from 21.11.2026', '--from: expected a day such as 2026-11-21'],
    ['--account 1 --from 2026-11-22 --to 2026-11-21', '--from: is after --to'],
    [
      '--account 1 --by hour',
      '--by: expected day, page, platform, source, medium, campaign, term, content, or several with commas',
    ],
    ['--account 1 --json --csv', "error: option '--json' cannot be used with option '--csv'"],
  ])('rejects `metrics %s` and says what to fix', async (options, message) => {
    expect(await operator.type(`metrics ${options}`)).toEqual({ status: 1, out: '', err: `${message}\n` });
  });
});

describe('operator quality', async () => {
  const operator = await shared(givenOperator());

  const givenSales = async () => {
    const { database } = operator;
    const connection = await givenConnection(database.em(), { platform: 'google' });
    const ids = await givenManyDeliveries(database, { connection, rows: 1_200 });
    await database.pool.query(
      `update delivery set state = 'delivered', parcel_id = null, match_keys = $2 where id = any($1)`,
      [ids.slice(0, 1_000), matchKeySet({ gclid: true, email: true })],
    );
    await database.pool.query(
      `update delivery set state = 'skipped', reason = 'no_match_keys', parcel_id = null where id = any($1)`,
      [ids.slice(1_000)],
    );
    return connection.account.id;
  };

  it('prints the quality of each platform as JSON', async () => {
    const account = await givenSales();
    expect(await operator.json(`quality --account ${account}`)).toMatchObject([
      {
        platform: 'google',
        conversions: 1_200,
        delivered: 1_000,
        skipped: { no_match_keys: 200 },
        failed: {},
        keys: { gclid: 0.8333, email: 0.8333, phone: 0 },
        advice: [
          { action: expect.stringContaining('phoneNumber'), affects: 1 },
          { action: expect.stringContaining('email'), affects: 0.1667 },
          { action: expect.stringContaining('auto-tagging'), affects: 0.1667 },
        ],
      },
    ]);
    expect(await operator.json(`quality --account ${account} --to 2026-01-01`)).toEqual([]);
  });

  it('prints a table with one line for each piece of advice', async () => {
    const { out } = await operator.type(`quality --account ${await givenSales()} --wide`);
    expect(out).toMatch(/google +│ 1,200 +│ 1,000 +│ 200 no_match_keys +│ +│ gclid 83\.3 %/);
    expect(out).toMatch(/100 %: Send the phone number/);
    expect(out).toMatch(/│ 16\.7 %: Send the email address/);
  });

  it.each([
    ['--account 999999', 'there is no account 999999'],
    ['--account 1 --from yesterday', '--from: expected a day such as 2026-11-21'],
    ['--account 1 --from 2026-11-22 --to 2026-11-21', '--from: is after --to'],
  ])('refuses quality %s', async (options, message) => {
    const { status, err } = await operator.type(`quality ${options}`);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });
});
