import type { PlatformConnection } from '@leadback/db';
import { dayAfter } from '@leadback/domain';
import { metricsRoller } from '@leadback/core/metrics/metrics';
import { givenAccount, givenConnection, givenConversion, givenLandingPage } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overviewReply } from '../src/contract/results.ts';
import { givenConsole, type SignedIn, type TestConsole } from './given-console.ts';

const day = '2026-11-10';

describe('the overview of the console', () => {
  let console: TestConsole;
  let person: SignedIn;
  let account: number;
  let connection: PlatformConnection;
  let pages: { id: number; slug: string }[];

  const change = (at: string, page: number, campaign: string, measure: string, value: number | string) =>
    console.database.pool.query(
      `insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
       values ($1, $2, $3, $4, $5, $6)`,
      [account, at, page, campaign, measure, value],
    );
  const read = async (query: string) => {
    const { status, body } = await person.get(`/api/accounts/${account}/overview?${query}`);
    expect([status, body]).toEqual([200, body]);
    return overviewReply.parse(body);
  };

  beforeAll(async () => {
    console = await givenConsole();
    person = await console.person();
    const em = console.database.em();
    const owner = await givenAccount(em);
    account = owner.id;
    connection = await givenConnection(em, { account: owner });
    pages = [await givenLandingPage(em, { account: owner }), await givenLandingPage(em, { account: owner })];
    const [first, second] = pages.map(({ id }) => id);
    if (first === undefined || second === undefined) throw new Error('two pages are missing');
    await change(day, first, 'verano', 'leads', 5);
    await change(day, first, 'verano', 'conversions', 2);
    await change(day, first, 'verano', 'amount.USD', '10.10');
    await change(day, first, 'verano', `deliveries.meta.delivered.${connection.id}`, 1);
    // those from here on are in the sums, the others not yet rolled up
    await metricsRoller()(console.database.pool, 100);
    await change(day, first, 'verano', 'amount.USD', '0.20');
    await change(day, first, 'verano', 'amount.ARS', '-500.50');
    await change(day, first, 'verano', `deliveries.meta.failed.${connection.id}`, 3);
    await change(dayAfter(day), second, '', 'leads', 1);
    await change(dayAfter(day), second, '', 'conversions', 9);
    await change(dayAfter(day, -1), first, 'verano', 'leads', 100);
    await change(dayAfter(day, -3), first, 'verano', 'leads', 1_000);
  });
  afterAll(() => console[Symbol.asyncDispose]());

  const none = { delivered: 0, failed: 0, skipped: 0, pending: 0 };
  const ofFirst = {
    leads: 5,
    clients: 0,
    conversions: 2,
    revenue: [
      { currency: 'USD', amount: '10.30' },
      { currency: 'ARS', amount: '-500.50' },
    ],
    refunded: [],
    deliveries: { ...none, delivered: 1, failed: 3 },
  };
  const empty = { leads: 0, clients: 0, conversions: 0, revenue: [], refunded: [], deliveries: none };

  it('has each day of the range, and the same number of days before', async () => {
    const overview = await read(`from=${day}&to=${dayAfter(day, 2)}`);
    expect(overview.rows).toEqual([
      { key: day, measures: ofFirst },
      { key: dayAfter(day), measures: { ...empty, leads: 1, conversions: 9 } },
      { key: dayAfter(day, 2), measures: empty },
    ]);
    expect(overview.totals).toEqual({ ...ofFirst, leads: 6, conversions: 11 });
    expect(overview.previousRange).toEqual({ from: dayAfter(day, -3), to: dayAfter(day, -1) });
    expect(overview.previous).toEqual({ ...empty, leads: 1_100 });
    const { id, destination } = connection;
    const named = { id, platform: 'meta', label: destination, destination, isDeleted: false };
    expect(overview.connections).toEqual([{ ...named, deliveries: { ...none, delivered: 1, failed: 3 } }]);
  });

  it('is grouped by page or campaign, with most conversions first', async () => {
    const [first, second] = pages.map(({ slug }) => slug);
    const byPage = await read(`from=${day}&to=${dayAfter(day)}&by=page`);
    expect(byPage.rows.map(({ key, measures }) => [key, measures.conversions])).toEqual([
      [second, 9],
      [first, 2],
    ]);
    const byCampaign = await read(`from=${day}&to=${dayAfter(day)}&by=campaign`);
    expect(byCampaign.rows.map(({ key }) => key)).toEqual([null, 'verano']);
    expect(byCampaign.other).toBeNull();
  });

  it('can be narrowed to a page and a campaign, also to clicks without one', async () => {
    const range = `from=${day}&to=${dayAfter(day)}`;
    expect((await read(`${range}&page=${pages[0]?.slug}`)).totals).toEqual(ofFirst);
    expect((await read(`${range}&campaign=verano`)).totals).toEqual(ofFirst);
    expect((await read(`${range}&campaign=`)).totals.conversions).toBe(9);
    expect((await read(`${range}&page=nothing`)).totals).toEqual(empty);
  });

  it('is grouped by the platform, source, medium, term and content of clicks, and narrowed to any of them', async () => {
    const em = console.database.em();
    const other = await givenAccount(em, { timeZone: 'America/Argentina/Buenos_Aires' });
    const sell = (parameters: string, at: string) =>
      givenConversion(em, {
        account: other,
        client: { lead: { clickParameters: Object.fromEntries(new URLSearchParams(parameters)) } },
        occurredAt: new Date(at),
      });
    const evening = `${day}T22:30:00-03:00`;
    await sell('gclid=x&utm_source=Google&utm_medium=cpc&utm_term=zapatos&utm_content=a', evening);
    await sell('gclid=y&utm_source=google&utm_medium=cpc&utm_term=botas', evening);
    await sell('fbclid=x', evening);
    await sell('gclid=z', `${dayAfter(day)}T00:30:00-03:00`);
    const rowsBy = async (query: string) => {
      const { body } = await person.get(`/api/accounts/${other.id}/overview?from=${day}&to=${day}&by=${query}`);
      const { rows, timeZone } = overviewReply.parse(body);
      expect(timeZone).toBe('America/Argentina/Buenos_Aires');
      return rows.map(({ key, measures }) => [key, measures.conversions]);
    };
    expect(await rowsBy('platform')).toEqual([
      ['google', 2],
      ['meta', 1],
    ]);
    expect(await rowsBy('source')).toEqual([
      ['google', 2],
      [null, 1],
    ]);
    expect(await rowsBy('term&medium=cpc')).toEqual([
      ['botas', 1],
      ['zapatos', 1],
    ]);
    expect(await rowsBy('content&platform=google&source=google')).toEqual([
      [null, 1],
      ['a', 1],
    ]);
    expect(await rowsBy('day&platform=meta&medium=')).toEqual([[day, 1]]);
  });

  it("has the revenue of each currency with its decimals, the account's main one first", async () => {
    const em = console.database.em();
    const other = await givenAccount(em, { currencies: ['KWD', 'ARS'] });
    const sold = [
      ['10.50', 'USD'],
      ['1001', 'JPY'],
      ['25000', 'ARS'],
      ['1.235', 'KWD'],
      ['0.010', 'KWD'],
    ] as const;
    for (const [amount, currency] of sold)
      await givenConversion(em, { account: other, amount, currency, occurredAt: new Date(`${day}T12:00:00Z`) });
    const { body } = await person.get(`/api/accounts/${other.id}/overview?from=${day}&to=${day}`);
    expect(overviewReply.parse(body).totals).toMatchObject({
      conversions: 5,
      revenue: [
        { currency: 'KWD', amount: '1.245' },
        { currency: 'ARS', amount: '25000.00' },
        { currency: 'USD', amount: '10.50' },
        { currency: 'JPY', amount: '1001' },
      ],
    });
  });

  it('sums up what is beyond the 100 largest campaigns', async () => {
    const [{ id } = { id: 0 }] = pages;
    const before = '2026-01-01';
    for (let place = 1; place <= 103; place += 1) await change(before, id, `campaign ${place}`, 'conversions', place);
    const { rows, other, totals } = await read(`from=${before}&to=${before}&by=campaign`);
    expect([rows.length, rows[0]?.key, other?.conversions]).toEqual([100, 'campaign 103', 1 + 2 + 3]);
    expect(totals.conversions).toBe((103 * 104) / 2);
  });

  it.each(['from=2026-11-10&to=2026-11-09', 'from=2025-01-01&to=2026-11-09', 'from=x&to=y', ''])(
    'refuses the range "%s"',
    async (query) => {
      expect((await person.get(`/api/accounts/${account}/overview?${query}`)).status).toBe(400);
    },
  );
});
