import { dueFinder } from '@leadback/core/delivery/due';
import { expiringSubjects } from '@leadback/core/retention';
import { givenDatabase, secretsKey, type TestDatabase } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operate } from '../../scripts/start/demo.ts';
import { type InventedAccount, inventedAccount } from '../../scripts/start/invented-history.ts';

const metricsSchema = z.array(
  z.looseObject({
    leads: z.number(),
    clients: z.number(),
    conversions: z.number(),
    amount: z.record(z.string(), z.number()),
    deliveries: z.record(z.string(), z.record(z.string(), z.number())),
  }),
);

describe('the invented history', () => {
  let database: TestDatabase;
  let invented: InventedAccount;
  const around = () => ({
    databaseUrl: database.url,
    ownerDatabaseUrl: database.ownerUrl,
    secretsKey: secretsKey.toString('base64'),
    landingUrl: 'http://127.0.0.1:3000',
    consoleUrl: 'http://127.0.0.1:3004',
    shopUrl: 'http://127.0.0.1:3002/offer',
  });
  const rowsOf = async (text: string): Promise<Record<string, unknown>[]> => (await database.asOwner(text)).rows;
  const numberOf = async (text: string): Promise<number> => Number((await rowsOf(`select ${text} as n`))[0]?.['n']);

  const counts = () =>
    rowsOf(`select (select count(*) from account) as accounts, (select count(*) from landing_page) as pages,
              (select count(*) from platform_connection) as connections, (select count(*) from lead) as leads,
              (select count(*) from conversion) as sales, (select count(*) from delivery) as deliveries`);

  beforeAll(async () => {
    database = await givenDatabase();
    invented = await inventedAccount(around());
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('what the operator sees are the sums of what is stored, of 60 days with each a visit', async () => {
    const days = ['--from', '2000-01-01', '--to', '2099-12-31'];
    const words = ['metrics', '--account', String(invented.accountId), ...days];
    const byDay = metricsSchema.parse(await operate(around(), ...words, '--by', 'day'));
    // today may be without a visit yet
    expect([59, 60]).toContain(byDay.length);
    const sum = (of: (day: (typeof byDay)[number]) => number | undefined) =>
      byDay.reduce((total, day) => total + (of(day) ?? 0), 0);
    expect(sum(({ leads }) => leads)).toBe(await numberOf('(select count(*) from lead)'));
    expect(sum(({ clients }) => clients)).toBe(await numberOf('(select count(*) from client)'));
    expect(sum(({ conversions }) => conversions)).toBe(await numberOf('(select count(*) from conversion)'));
    for (const currency of ['USD', 'ARS']) {
      const stored = await numberOf(`(
        select sum(coalesce(a.amount, v.amount)) from conversion v left join conversion_adjustment a on a.conversion_id = v.id
        where v.currency = '${currency}')`);
      expect(sum(({ amount }) => amount[currency])).toBeCloseTo(stored, 2);
    }
    const states = await rowsOf(`
      select c.platform, d.state, count(*)::int as n from delivery d join platform_connection c on c.id = d.connection_id
      where d.conversion_id is not null group by 1, 2`);
    expect(states.map(({ platform }) => platform)).toEqual(expect.arrayContaining(['meta', 'google', 'tiktok']));
    for (const { platform, state, n } of states)
      expect(sum(({ deliveries }) => deliveries[String(platform)]?.[String(state)])).toBe(n);
  });

  it('everything happens after what it follows from, and nothing in the future', async () => {
    const wrong = {
      'a client before its visit': `from client c join lead l on l.id = c.lead_id where c.created_at < l.created_at`,
      'a sale before its client': `from conversion v join client c on c.id = v.client_id where v.occurred_at < c.created_at`,
      'a sale before its click': `from conversion v join lead l on l.id = v.lead_id where v.occurred_at < l.created_at`,
      'a correction before its sale': `from conversion_adjustment a join conversion v on v.id = a.conversion_id where a.occurred_at < v.occurred_at`,
      'a delivery before its sale': `from delivery d join conversion v on v.id = d.conversion_id where d.created_at < v.occurred_at`,
      'a delivery that ended in the future': 'from delivery where closed_at > now()',
      'a sale in the future': 'from conversion where occurred_at > now()',
      'a delivery without its attempt': `from delivery where state in ('delivered', 'failed') and id not in (select delivery_id from delivery_attempt)`,
      'a sale of nobody': 'from conversion where client_id not in (select id from client)',
    };
    for (const [what, where] of Object.entries(wrong))
      expect([what, await numberOf(`(select count(*) ${where})`)]).toEqual([what, 0]);
    expect(await numberOf('(select count(*) from client_lead)')).toBeGreaterThan(10);
    expect(await numberOf('(select count(*) from conversion_adjustment)')).toBeGreaterThan(10);
  });

  it('fewer people come on weekends, and by more than one campaign of each platform', async () => {
    const [rates] = await rowsOf(`
      select count(*) filter (where isodow >= 6) / 2.0 as weekend, count(*) filter (where isodow < 6) / 5.0 as week
      from (select extract(isodow from created_at at time zone 'America/Argentina/Buenos_Aires') as isodow from lead) visit`);
    expect(Number(rates?.['weekend'])).toBeLessThan(0.8 * Number(rates?.['week']));
    const campaigns = await numberOf(`(select count(distinct click_parameters->>'utm_campaign') from lead)`);
    expect(campaigns).toBeGreaterThanOrEqual(6);
  });

  it('nothing of it is sent again: only what waits for the rejected connection is open, and no worker takes that', async () => {
    expect(await dueFinder(database.pool).find()).toMatchObject({ connections: [] });
    const open = await rowsOf(`
      select c.platform, c.state, count(*)::int as n,
             (select sum(cardinality(delivery_ids))::int from delivery_due where connection_id = c.id) as parcelled
      from delivery d join platform_connection c on c.id = d.connection_id where d.state = 'pending' group by c.id`);
    expect(open).toEqual([
      { platform: 'tiktok', state: 'needs_attention', n: expect.any(Number), parcelled: open[0]?.['n'] },
    ]);
    expect(await numberOf('(select count(*) from webhook_event)')).toBe(0);
  });

  it('retention takes nothing of it, and every attempt is in the partition of its month', async () => {
    for (const subject of Object.keys(expiringSubjects)) {
      const [round] = await rowsOf(`select changed from apply_retention('${subject}', null)`);
      expect(Object.values(z.record(z.string(), z.number()).parse(round?.['changed'])).every((n) => n === 0)).toBe(
        true,
      );
    }
    expect(await numberOf('(select count(*) from delivery_attempt_default)')).toBe(0);
    expect(await rowsOf('select * from attempt_partition_plan(90)')).toEqual([]);
  });

  it('nobody can take it for real: account, pages, clients and orders are called invented, emails are examples', async () => {
    expect(invented.name).toMatch(/invented/i);
    for (const [table, column] of [
      ['landing_page', 'slug'],
      ['client', 'external_reference'],
      ['conversion', 'external_reference'],
      ['platform_connection', 'label'],
    ])
      expect(await numberOf(`(select count(*) from ${table} where ${column} !~* '^invented')`)).toBe(0);
  });

  it('another start adds nothing', async () => {
    const before = await counts();
    expect(await inventedAccount(around())).toEqual(invented);
    await database.asOwner(`update account set name = 'Renamed'`);
    expect(await inventedAccount(around())).toEqual(invented);
    expect(await counts()).toEqual(before);
  });
});
